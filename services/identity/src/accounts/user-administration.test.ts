import { randomUUID } from 'node:crypto'
import type { Role } from '@prosa/contracts/values/role'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'

const reason = 'A Marina ligou e pediu'
const temporary = 'provisória 9'

let server: SmtpServer
let prosa: Awaited<ReturnType<typeof testIdentity>>
let admin: { id: string; cookie: string }
const roles = new Map<string, Role[]>()
let people = 0
const register = () => {
  const email = `pessoa${++people}@example.com`
  return prosa.register({ email }).then((person) => ({ ...person, email }))
}

beforeAll(async () => {
  server = await smtpServer()
  prosa = await testIdentity(
    {
      publicUrl: 'https://atendimento.example.com',
      mailer: smtpMailer({ url: server.url, from: 'prosa@example.com' }),
      roleList: { admin: ['chefe@example.com', 'chefa@example.com'], analyst: ['analista@example.com'] },
    },
    { roles: { of: async (id) => roles.get(id) ?? [] } },
  )
  admin = await prosa.register({ email: 'chefe@example.com' })
  roles.set(admin.id, ['admin'])
})
afterAll(async () => {
  await prosa.stop()
  await server.close()
})

const update = (id: string, body: object, cookie: string | undefined = admin.cookie, key?: string) =>
  prosa.ask('POST', `/api/admin/users/${id}/update-profile`, body, cookie, key)
const erase = (id: string, body: object | undefined, cookie: string | undefined = admin.cookie, key?: string) =>
  prosa.ask('DELETE', `/api/admin/users/${id}`, body, cookie, key)
const eventsOf = async (id: string) =>
  (await everythingIn(prosa.ports.store, 'user')).filter(({ stream }) => stream === `user-${id}`)

describe('an administrator', () => {
  it('corrects what was given, once, and the reason stands with it', async () => {
    const { id, cookie } = await register()
    for (const key of ['k', 'k'])
      expect(
        await update(id, { firstName: 'Mariana', lastName: ' ', email: '', password: '', reason }, admin.cookie, key),
      ).toMatchObject({
        status: 200,
        body: { id },
      })
    const events = await eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual(['UserRegistered', 'UserRenamed'])
    expect(events[1]).toMatchObject({
      data: { firstName: 'Mariana', lastName: marina.lastName },
      metadata: { actor: { kind: 'admin', id: admin.id }, tenant: id, reason },
    })
    expect(await prosa.isSignedIn(cookie)).toBe(true)
  })

  it('moves an account to a free address, which has to be confirmed anew, and to no taken one', async () => {
    const [one, other] = [await register(), await register()]
    expect(await update(one.id, { email: other.email })).toMatchObject({
      status: 409,
      body: { errors: [{ field: 'email', message: 'Já existe uma conta com este e-mail.' }] },
    })
    expect((await update(one.id, { email: 'nova@example.com' })).status).toBe(200)
    expect((await prosa.historyOf(one.id)).at(-1)).toBe('EmailChanged')
    await until(() =>
      server.received.some(
        ({ to, subject }) => to.includes('nova@example.com') && subject === 'Confirme seu e-mail no Prosa',
      ),
    )
    expect(await prosa.login('nova@example.com', marina.password)).toBe(200)
    expect(await prosa.login(one.email, marina.password)).toBe(401)
  })

  it('is refused what no account could have', async () => {
    const { id } = await register()
    for (const [field, body] of [
      ['email', { email: 'sem arroba' }],
      ['password', { password: '12345' }],
      ['password', { password: 'senha123' }],
      ['firstName', { firstName: 'x'.repeat(81) }],
      ['reason', { reason: 'x'.repeat(501) }],
    ] as const) {
      const { status, body: problem } = await update(id, body)
      expect([field, status, problem.errors?.[0]?.field]).toEqual([field, 422, field])
    }
    expect((await update(id, { roles: ['admin'] })).status).toBe(422)
    expect((await update(randomUUID(), { firstName: 'Ninguém' })).status).toBe(404)
    expect((await erase(randomUUID(), { reason })).status).toBe(404)
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered'])
  })

  it('does not lock out or erase himself, and leaves somebody who administers', async () => {
    for (const body of [{ password: temporary }, { email: 'outra.chefe@example.com' }])
      expect(await update(admin.id, body)).toMatchObject({
        status: 409,
        body: { type: 'own_account_changed_in_profile' },
      })
    expect(await erase(admin.id, { reason })).toMatchObject({
      status: 409,
      body: { type: 'own_account_erased_in_profile' },
    })
    expect((await update(admin.id, { firstName: 'Chefe' })).status).toBe(200)
    const former = await register()
    roles.set(former.id, ['admin'])
    expect(await erase(admin.id, { reason }, former.cookie)).toMatchObject({
      status: 409,
      body: { type: 'last_administrator' },
    })
    expect(await update(admin.id, { email: 'x@example.com' }, former.cookie)).toMatchObject({
      status: 409,
      body: { type: 'last_administrator' },
    })
    const second = await prosa.register({ email: 'chefa@example.com' })
    expect((await erase(second.id, { reason })).status).toBe(200)
  })

  it('erases an account, once, with the reason', async () => {
    const { id, cookie, email } = await register()
    for (const key of ['erase', 'erase', 'again'])
      expect(await erase(id, { reason }, admin.cookie, key)).toMatchObject({ status: 200, body: { id } })
    const events = await eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual(['UserRegistered', 'UserErased'])
    expect(events[1]?.metadata).toMatchObject({ actor: { kind: 'admin', id: admin.id }, tenant: id, reason })
    expect(await prosa.isSignedIn(cookie)).toBe(false)
    await until(async () => (await prosa.post('register', { ...marina, email })).status === 201)
  })

  it('erases no account without a reason', async () => {
    const { id } = await register()
    for (const body of [
      undefined,
      {},
      { reason: '' },
      { reason: '   ' },
      { reason: null },
      { reason: 'x'.repeat(501) },
    ])
      expect((await erase(id, body)).status).toBe(422)
    expect((await erase(id, { reason, password: 'x' })).status).toBe(422)
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered'])
  })

  it('makes an account analyst, once, and undoes it; a start of Prosa changes neither', async () => {
    const { id } = await register()
    const analyst = (isAnalyst: boolean, key?: string, cookie = admin.cookie) =>
      prosa.ask('POST', `/api/admin/users/${id}/analyst`, { isAnalyst, reason }, cookie, key)
    for (const key of ['make analyst', 'make analyst', 'make analyst again'])
      expect(await analyst(true, key)).toMatchObject({ status: 200, body: { id } })
    const events = await eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual(['UserRegistered', 'RoleGranted'])
    expect(events[1]).toMatchObject({
      data: { role: 'analyst', byAdministrator: true },
      metadata: { actor: { kind: 'admin', id: admin.id }, tenant: id, reason },
    })
    await prosa.restart({ readRoleHolders: async () => [id] })
    const subscriber = await register()
    roles.set(subscriber.id, ['analyst'])
    expect((await analyst(false, 'self', subscriber.cookie)).status).toBe(403)
    for (const key of ['no analyst', 'no analyst']) expect((await analyst(false, key)).status).toBe(200)
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered', 'RoleGranted analyst', 'RoleRevoked analyst'])
    const configured = await prosa.register({ email: 'analista@example.com' })
    expect(await update(configured.id, { firstName: 'Ana' })).toMatchObject({ status: 200 })
    expect(
      await prosa.ask('POST', `/api/admin/users/${configured.id}/analyst`, { isAnalyst: false }, admin.cookie),
    ).toMatchObject({ status: 409, body: { type: 'role_is_configured' } })
    expect(
      (await prosa.ask('POST', `/api/admin/users/${randomUUID()}/analyst`, { isAnalyst: true }, admin.cookie)).status,
    ).toBe(404)
  })

  it('is alone in this: subscribers, analysts and visitors are refused', async () => {
    const [victim, subscriber, analyst] = [await register(), await register(), await register()]
    roles.set(analyst.id, ['analyst'])
    for (const [cookie, status] of [
      [subscriber.cookie, 403],
      [analyst.cookie, 403],
      ['', 401],
    ] as const) {
      expect((await update(victim.id, { firstName: 'Outra' }, cookie)).status).toBe(status)
      expect((await erase(victim.id, { reason }, cookie)).status).toBe(status)
    }
    expect(await prosa.historyOf(victim.id)).toEqual(['UserRegistered'])
  })
})

describe('a password that an administrator sets', () => {
  it('ends every session, is notified without being named, and is good for choosing another one only', async () => {
    const { id, cookie, email } = await register()
    for (const key of ['password', 'password'])
      expect((await update(id, { password: temporary }, admin.cookie, key)).status).toBe(200)
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered', 'TemporaryPasswordSet'])
    expect(await prosa.isSignedIn(cookie)).toBe(false)
    expect(await prosa.login(email, marina.password)).toBe(401)
    const notices = () =>
      server.received.filter(({ to, subject }) => to.includes(email) && subject === 'Sua senha do Prosa foi trocada')
    expect((await until(() => notices()[0])).words).not.toContain(temporary)

    const { cookie: session = '' } = await prosa.post('login', { email, password: temporary })
    const rename = () =>
      prosa
        .put('user', { firstName: 'Eu', lastName: 'Mesma', email }, session)
        .then(({ status, body }) => [status, body.type])
    expect(await rename()).toEqual([403, 'password_must_be_changed'])
    expect((await erase(id, { reason }, session)).body.type).toBe('password_must_be_changed')
    const change = (newPassword: string, key?: string) =>
      prosa.put('password', { currentPassword: temporary, newPassword }, session, key)
    expect(await change(temporary)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'newPassword', message: 'Escolha uma senha diferente da provisória.' }] },
    })
    for (const key of ['k', 'k']) expect((await change('girafa azul', key)).status).toBe(200)
    expect((await rename())[0]).toBe(200)
    expect(await prosa.login(email, 'girafa azul')).toBe(200)
    expect(notices()).toHaveLength(1)
  })

  it('is replaced over a mailed link, too', async () => {
    const { id, email } = await register()
    await update(id, { password: temporary })
    const links = () =>
      server.received.filter(({ to, subject }) => to.includes(email) && subject === 'Redefina sua senha do Prosa')
    await prosa.post('forgot-password', { email })
    const token = /token=([\w-]+)/.exec((await until(() => links()[0])).words)?.[1]
    expect((await prosa.post('reset-password', { token, password: 'girafa azul' })).status).toBe(200)
    const { cookie = '' } = await prosa.post('login', { email, password: 'girafa azul' })
    expect((await prosa.put('user', { firstName: 'Eu', lastName: 'Mesma', email }, cookie)).status).toBe(200)
  })
})
