import { type Host, host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identity } from './identity.ts'
import { marina, plainOptions } from './testing/test-identity.ts'

let ports: TestPorts
let running: Host

beforeAll(async () => {
  ports = await testPorts()
  running = await host([identity(plainOptions)], ports, {
    hostname: '127.0.0.1',
    port: 0,
    trustedOrigins: [],
    limitScale: 1000,
  })
})
afterAll(async () => {
  await running.stop()
  await ports.close()
})

const post = (path: string, payload: object, cookie?: string) =>
  running.app.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers: cookie ? { cookie } : {} })

const cookieOf = (reply: Awaited<ReturnType<typeof post>>) => {
  const cookie = reply.cookies.find(({ name }) => name === '__Host-prosa')
  return cookie && `${cookie.name}=${cookie.value}`
}

describe('an account', () => {
  it('is opened once per e-mail, however it is written', async () => {
    expect((await post('register', marina)).statusCode).toBe(201)
    const again = await post('register', { ...marina, email: ' MARINA@example.com ', password: 'outra senha' })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({
      title: 'Já existe uma conta com este e-mail.',
      errors: [{ field: 'email', message: 'Já existe uma conta com este e-mail.' }],
    })
    expect((await post('login', { email: marina.email, password: 'outra senha' })).statusCode).toBe(401)
    expect((await post('login', { email: marina.email, password: marina.password })).statusCode).toBe(200)
  })

  it('goes to one of two who register the same e-mail at once, with that one’s password', async () => {
    const race = { ...marina, email: 'corrida@example.com' }
    const passwords = ['primeira senha', 'segunda senha']
    const replies = await Promise.all(passwords.map((password) => post('register', { ...race, password })))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    const [refused] = replies.filter(({ statusCode }) => statusCode === 409)
    expect(refused?.json().errors).toMatchObject([{ field: 'email' }])
    const logins = await Promise.all(passwords.map((password) => post('login', { email: race.email, password })))
    expect(logins.map(({ statusCode }) => statusCode === 200)).toEqual(
      replies.map(({ statusCode }) => statusCode === 201),
    )
  })

  it('can still be opened when an earlier attempt was cut short after the claim', async () => {
    const email = 'interrompida@example.com'
    const stream = `emailClaim-${ports.box.fingerprint(email, 'e-mail claim')}`
    const [claimed] = await ports.codec.encode([
      {
        id: 'c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33',
        stream,
        event: { type: 'EmailClaimed', data: { userId: '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11' } },
        metadata: {
          causationId: 'x',
          correlationId: 'x',
          actor: { kind: 'user', id: 'x' },
          tenant: null,
          recordedAt: ports.clock.now(),
        },
      },
    ])
    if (claimed) await ports.store.append(stream, 'no_stream', [claimed])
    const reply = await post('register', { ...marina, email })
    expect(reply.statusCode).toBe(201)
    expect(reply.json().id).toBe('7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11')
  })

  it('is refused field by field, in words', async () => {
    const reply = await post('register', { firstName: ' ', lastName: 'Alves', email: 'marina', password: '12345' })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toEqual([
      { field: 'firstName', message: 'Informe seu nome.' },
      { field: 'email', message: 'Informe um e-mail válido.' },
      { field: 'password', message: 'A senha deve ter pelo menos 6 caracteres.' },
    ])
  })
})

describe('a new password', () => {
  it.each(['123456', 'ABCDEF', '111111', '0987654321', 'Senha123'])(
    'is refused when it is as obvious as %s',
    async (password) => {
      const reply = await post('register', { ...marina, email: 'obvia@example.com', password })
      expect([reply.statusCode, reply.json().errors]).toEqual([
        422,
        [{ field: 'password', message: 'Esta senha é fácil demais de adivinhar. Escolha outra.' }],
      ])
    },
  )

  it.each(['flamengo', 'Camila2024', 'iloveyou', 'qwerty12', '121212'])(
    'is refused when it is on the list of those that are tried everywhere, also with digits behind it: %s',
    async (password) => {
      const obvious = 'Esta senha é fácil demais de adivinhar. Escolha outra.'
      const { token } = await ports.browserSessions.issue('7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a99')
      const change = await running.app.inject({
        method: 'PUT',
        url: '/api/auth/password',
        payload: { currentPassword: marina.password, newPassword: password },
        headers: { cookie: `__Host-prosa=${token}` },
      })
      expect([change.statusCode, change.json().errors]).toEqual([422, [{ field: 'newPassword', message: obvious }]])
      for (const [path, body] of [
        ['register', { ...marina, email: 'comum@example.com', password }],
        ['reset-password', { token: 'x', password }],
      ] as const) {
        const reply = await post(path, body)
        expect([reply.statusCode, reply.json().errors]).toEqual([422, [{ field: 'password', message: obvious }]])
      }
    },
  )

  it('needs no digits, capitals or signs', async () => {
    const reply = await post('register', { ...marina, email: 'simples@example.com', password: 'girafa' })
    expect(reply.statusCode).toBe(201)
  })
})

describe('signing in', () => {
  it('answers an unknown e-mail as it answers a wrong password', async () => {
    const unknown = await post('login', { email: 'ninguem@example.com', password: 'qualquer' })
    const wrong = await post('login', { email: marina.email, password: 'qualquer' })
    const { correlationId: _, ...first } = unknown.json()
    const { correlationId: __, ...second } = wrong.json()
    expect(unknown.statusCode).toBe(401)
    expect(first).toEqual(second)
  })

  it('gives a cookie that scripts, other sites and plain channels cannot use', async () => {
    const reply = await post('login', { email: marina.email, password: marina.password })
    expect(reply.cookies[0]).toMatchObject({ path: '/', httpOnly: true, secure: true, sameSite: 'Lax' })
  })

  it('ends the session that the browser brought along, and logging out ends the new one', async () => {
    const credentials = { email: marina.email, password: marina.password }
    const first = cookieOf(await post('login', credentials))
    const second = cookieOf(await post('login', credentials, first))
    expect(await ports.browserSessions.resolve(first?.split('=')[1] ?? '')).toBeUndefined()
    expect(await ports.browserSessions.resolve(second?.split('=')[1] ?? '')).toBeDefined()
    expect((await post('logout', {}, second)).json()).toEqual({ signedOut: true })
    expect(await ports.browserSessions.resolve(second?.split('=')[1] ?? '')).toBeUndefined()
  })
})

describe('the log', () => {
  it('holds no password and no hash, and names no e-mail in a stream', async () => {
    const stored = await everythingIn(ports.store, 'user', 'emailClaim')
    expect(stored.length).toBeGreaterThan(0)
    const text = JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toContain(marina.password)
    expect(text).not.toContain('argon2')
    expect(stored.map(({ stream }) => stream).join()).not.toContain('@')
  })
})
