import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { createLog, type Logger } from '@prosa/kernel/observability/log'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'

type TestIdentity = Awaited<ReturnType<typeof testIdentity>>

const tokenIn = (text: string): string => /reset-password\?token=([\w-]{43})/.exec(text)?.[1] ?? 'no token'
const reset = ({ post }: TestIdentity, token: string, password = 'outra senha boa') =>
  post('reset-password', { token, password })

const listeningLog = (): { log: Logger; lines: string[] } => {
  const lines: string[] = []
  const log = createLog('info')
  const collect = (...words: unknown[]) => void lines.push(JSON.stringify(words))
  return { log: Object.assign(log, { info: collect, warn: collect, error: collect }), lines }
}

describe('a forgotten password, outside production without a mail server', () => {
  let prosa: TestIdentity
  let email: string
  let people = 0
  const shown: string[] = []
  beforeAll(async () => {
    prosa = await testIdentity({ showLink: (link) => shown.push(link) })
  })
  beforeEach(() => {
    email = `pessoa${++people}@example.com`
  })
  afterAll(() => prosa.stop())

  const askForLink = async () => {
    const { body } = await prosa.post('forgot-password', { email })
    return { link: String(body.resetLink), token: tokenIn(body.resetLink) }
  }

  it('is replaced over the link in the reply, which leads to this machine and is shown to its operator', async () => {
    await prosa.register({ email })
    const { link, token } = await askForLink()
    expect(link).toBe(`${prosa.url()}/reset-password?token=${token}`)
    expect(shown).toContain(link)
    expect((await reset(prosa, token)).status).toBe(200)
    expect(await prosa.login(email, marina.password)).toBe(401)
    expect(await prosa.login(email, 'outra senha boa')).toBe(200)
  })

  it('is replaced once a link, by one of two who try at once', async () => {
    await prosa.register({ email })
    const { token } = await askForLink()
    const passwords = ['primeira senha boa', 'segunda senha boa']
    const replies = await Promise.all(passwords.map((password) => reset(prosa, token, password)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 410])
    const logins = await Promise.all(passwords.map((password) => prosa.login(email, password)))
    expect(logins.map((status) => status === 200)).toEqual(replies.map(({ status }) => status === 200))
    const again = await reset(prosa, token)
    expect([again.status, again.body.title]).toEqual([
      410,
      'Este link não vale mais. Peça outro em “Esqueci minha senha”.',
    ])
  })

  it('signs nobody in, and ends every session of the user', async () => {
    const { cookie } = await prosa.register({ email })
    const other = await prosa.post('login', { email, password: marina.password })
    const { token } = await askForLink()
    expect((await reset(prosa, token)).cookie).toBeUndefined()
    expect(await prosa.isSignedIn(cookie)).toBe(false)
    expect(await prosa.isSignedIn(other.cookie ?? '')).toBe(false)
  })

  it('keeps its old password when the link was overtaken by a newer one, a new password or a new address', async () => {
    const { cookie } = await prosa.register({ email })
    const { token: first } = await askForLink()
    const { token: second } = await askForLink()
    expect((await reset(prosa, first)).status).toBe(410)
    const change = { currentPassword: marina.password, newPassword: 'senha trocada' }
    expect((await prosa.put('password', change, cookie)).status).toBe(200)
    expect((await reset(prosa, second)).status).toBe(410)
    const { token: third } = await askForLink()
    const { firstName, lastName } = marina
    const profile = { firstName, lastName, email: `nova-${email}`, currentPassword: 'senha trocada' }
    expect((await prosa.put('user', profile, cookie)).status).toBe(200)
    expect((await reset(prosa, third)).status).toBe(410)
    expect(await prosa.login(profile.email, 'senha trocada')).toBe(200)
  })

  it('keeps its old password when nobody used the link within 30 minutes', async () => {
    await prosa.register({ email })
    const { token: early } = await askForLink()
    prosa.putForward(29)
    expect((await reset(prosa, early)).status).toBe(200)
    const { token: late } = await askForLink()
    prosa.putForward(31)
    expect((await reset(prosa, late)).status).toBe(410)
  })

  it('is refused when the new one is too short, or the link is none, in words', async () => {
    expect((await reset(prosa, 'x', '12345')).body.errors).toEqual([
      { field: 'password', message: 'A senha deve ter pelo menos 6 caracteres.' },
    ])
    expect((await reset(prosa, 'nonsense')).status).toBe(410)
    const surplus = await prosa.post('forgot-password', { email, resetLink: 'https://evil.example.com' })
    expect(surplus.status).toBe(422)
  })
})

describe('a forgotten password, where mail goes out', () => {
  let prosa: TestIdentity
  let server: SmtpServer
  let gate = Promise.resolve()
  const reads: string[] = []
  let person: { id: string; cookie: string }

  beforeAll(async () => {
    server = await smtpServer()
    const memory = memoryEventStore()
    const store: typeof memory = {
      ...memory,
      async *read(stream, options) {
        reads.push(stream)
        await gate
        yield* memory.read(stream, options)
      },
    }
    prosa = await testIdentity(
      {
        production: true,
        publicUrl: 'https://atendimento.example.com',
        mailer: smtpMailer({ url: server.url, from: 'Prosa <nao-responda@example.com>' }),
      },
      { store },
    )
    person = await prosa.register({ firstName: 'Marina <b>' })
    await until(() => server.received.length === 1)
  })
  afterAll(async () => {
    await prosa.stop()
    await server.close()
  })

  const nextMail = async () => {
    const before = server.received.length
    await prosa.post('forgot-password', { email: marina.email })
    return until(() => server.received[before])
  }

  it('is answered alike for everybody, before anything is looked up', async () => {
    let open: () => void = () => undefined
    gate = new Promise((resolve) => {
      open = resolve
    })
    reads.length = 0
    const replies: unknown[] = []
    const ask = async (email: string) => {
      const { status, raw } = await prosa.post('forgot-password', { email })
      const { date: _, 'x-correlation-id': __, ...headers } = raw.headers
      replies.push({ status, body: raw.body, headers })
    }
    try {
      const asked = [ask(marina.email), ask('ninguem@example.com')]
      await until(() => replies.length === 2, 4000)
      await Promise.all(asked)
      expect(replies[0]).toEqual(replies[1])
      expect(JSON.stringify(replies)).not.toContain('token')
      await until(() => reads.length === 2)
    } finally {
      open()
    }
    await until(() => server.received.length === 2)
  })

  it('is replaced over a link that only the mail holds, at the public address', async () => {
    const mail = await nextMail()
    expect([mail.to, mail.subject]).toEqual([[marina.email], 'Redefina sua senha do Prosa'])
    const token = tokenIn(mail.words)
    expect(mail.words).toContain(`https://atendimento.example.com/reset-password?token=${token}`)
    expect(mail.words).toContain('O link vale por 30 minutos')
    // Names are untrusted input.
    expect(mail.words).not.toContain('Marina')
    const forMail = () => prosa.ports.pool.query("select 1 from secret where kind = 'password reset mail'")
    await until(async () => (await forMail()).rowCount === 0)
    const { rows } = await prosa.ports.pool.query('select row_to_json(secret)::text as text from secret')
    const log = await everythingIn(prosa.ports.store, 'passwordReset', 'user')
    const text = JSON.stringify([rows, log], (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toContain(token)
    expect((await reset(prosa, token)).status).toBe(200)
    expect(await prosa.historyOf(person.id)).toEqual(['UserRegistered', 'PasswordChanged', 'EmailConfirmed'])
  })

  it('is mailed again when the server would not take the mail, and once when it did', async () => {
    server.refusals.push('450 busy')
    const mail = await nextMail()
    expect((await reset(prosa, tokenIn(mail.words))).status).toBe(200)
    const count = server.received.length
    await nextMail()
    expect(server.received.length).toBe(count + 1)
  })

  it('is not mailed a second time when nobody knows whether the first went out; the next request is not held up', async () => {
    server.cutsAfterData = 1
    const lost = await nextMail()
    const next = await nextMail()
    expect(server.received.filter(({ words }) => words.includes(tokenIn(lost.words)))).toHaveLength(1)
    expect((await reset(prosa, tokenIn(next.words))).status).toBe(200)
  })
})

describe('a forgotten password, in production without a mail server', () => {
  it('is answered as everywhere, leads nowhere, and the log names the cause once', async () => {
    const { log, lines } = listeningLog()
    const prosa = await testIdentity({ production: true }, { log })
    await prosa.register()
    const known = await prosa.post('forgot-password', { email: marina.email })
    const unknown = await prosa.post('forgot-password', { email: 'ninguem@example.com' })
    expect([known.status, known.body]).toEqual([200, unknown.body])
    expect(await everythingIn(prosa.ports.store, 'passwordReset')).toEqual([])
    expect(lines.filter((line) => line.includes('PROSA_SMTP_URL'))).toHaveLength(1)
    await prosa.stop()
  })
})
