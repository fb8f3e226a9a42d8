import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { marina, testIdentity } from '../testing/test-identity.ts'
import { openAccounts } from './accounts.ts'

let prosa: Awaited<ReturnType<typeof testIdentity>>
let email: string
let person: { id: string; cookie: string }
let people = 0

beforeAll(async () => {
  prosa = await testIdentity()
})
beforeEach(async () => {
  email = `pessoa${++people}@example.com`
  person = await prosa.register({ email })
})
afterAll(() => prosa.stop())

const { firstName, lastName } = marina
const currentPassword = marina.password
const moveTo = (address: string, cookie = person.cookie) =>
  prosa.put('user', { firstName, lastName, email: address, currentPassword }, cookie)

describe('the own profile', () => {
  it('is corrected field by field, or refused in words', async () => {
    expect((await prosa.put('user', { firstName: 'Mari', lastName, email }, person.cookie)).status).toBe(200)
    expect(await prosa.historyOf(person.id)).toEqual(['UserRegistered', 'UserRenamed'])
    const { status, body } = await prosa.put('user', { firstName: '', lastName, email: 'x' }, person.cookie)
    expect([status, body.errors.map(({ field }: { field: string }) => field)]).toEqual([422, ['firstName', 'email']])
  })

  it.each([
    { roles: ['admin'] },
    { subscriptionStatus: 'active' },
    { id: '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11' },
    { isEmailConfirmed: true },
  ])('is not saved with %o in it', async (surplus) => {
    const reply = await prosa.put('user', { firstName: 'Mari', lastName, email, ...surplus }, person.cookie)
    expect([reply.status, reply.body.errors[0].message]).toEqual([422, 'Há campos que não podem ser alterados aqui.'])
    expect(await prosa.historyOf(person.id)).toEqual(['UserRegistered'])
  })

  it('moves to another address, with which alone one signs in from then on', async () => {
    expect((await moveTo(` NOVA-${email} `)).status).toBe(200)
    expect(await prosa.login(`nova-${email}`, marina.password)).toBe(200)
    expect(await prosa.login(email, marina.password)).toBe(401)
  })

  it('is not opened with an address that is only about to be taken', async () => {
    const { emails, claimIdOf } = openAccounts(prosa.ports)
    const [changeId, next] = [randomUUID(), `nova-${email}`]
    const context = { commandId: changeId, actor: { kind: 'user', id: person.id } as const, tenant: null }
    const about = { ...context, causationId: changeId, correlationId: changeId }
    await emails(claimIdOf(next), { type: 'ClaimEmail', data: { userId: person.id, changeId } }, about)
    expect(await prosa.login(next, marina.password)).toBe(401)
    expect((await prosa.post('forgot-password', { email: next })).body.resetLink).toBeUndefined()
    expect((await moveTo(next)).status).toBe(200)
    expect(await prosa.login(next, marina.password)).toBe(200)
  })

  it.each([
    ['without the password', undefined, 'Informe sua senha atual.'],
    ['with a wrong one', 'errada', 'A senha atual não confere.'],
  ])('does not move for whoever found the browser open: %s', async (_, currentPassword, message) => {
    const next = `nova-${email}`
    const moved = await prosa.put('user', { firstName: 'Mari', lastName, email: next, currentPassword }, person.cookie)
    expect([moved.status, moved.body.errors]).toEqual([422, [{ field: 'currentPassword', message }]])
    expect(await prosa.historyOf(person.id)).toEqual(['UserRegistered'])
    expect((await prosa.post('register', { ...marina, email: next })).status).toBe(201)
  })

  it('does not move to somebody else’s address', async () => {
    const taken = `outra-${email}`
    await prosa.register({ email: taken })
    const { status, body } = await moveTo(taken)
    expect([status, body.title]).toEqual([409, 'Já existe uma conta com este e-mail.'])
    expect(await prosa.historyOf(person.id)).toEqual(['UserRegistered'])
  })

  it('goes to one of two who move to the same address at once', async () => {
    const other = await prosa.register({ email: `outra-${email}` })
    const cookies = [person.cookie, other.cookie]
    const replies = await Promise.all(cookies.map((cookie) => moveTo(`nova-${email}`, cookie)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('leaves the old address for others, and keeps one to which it came back', async () => {
    await moveTo(`nova-${email}`)
    await until(async () => (await prosa.post('register', { ...marina, email })).status === 201)
    await moveTo(`terceira-${email}`)
    await moveTo(`nova-${email}`)
    await moveTo(`quarta-${email}`)
    const third = { ...marina, email: `terceira-${email}` }
    await until(async () => (await prosa.post('register', third)).status === 201)
    await until(async () => (await prosa.post('register', { ...marina, email: `nova-${email}` })).status === 201)
    expect((await prosa.post('register', { ...marina, email: `quarta-${email}` })).status).toBe(409)
    expect(await prosa.login(`quarta-${email}`, marina.password)).toBe(200)
  })

  it('is nobody’s without a session', async () => {
    expect((await prosa.put('user', { firstName, lastName, email })).status).toBe(401)
    expect((await prosa.put('password', { currentPassword: 'x', newPassword: 'outra senha' })).status).toBe(401)
  })
})

describe('a password change', () => {
  const change = (currentPassword: string, newPassword: string) =>
    prosa.put('password', { currentPassword, newPassword }, person.cookie)

  it('ends every other session and keeps this one', async () => {
    const other = await prosa.post('login', { email, password: marina.password })
    const stranger = await prosa.register({ email: `outra-${email}` })
    expect((await change(marina.password, 'senha nova boa')).status).toBe(200)
    expect(await prosa.isSignedIn(other.cookie ?? '')).toBe(false)
    expect(await prosa.isSignedIn(person.cookie)).toBe(true)
    expect(await prosa.isSignedIn(stranger.cookie)).toBe(true)
    expect(await prosa.login(email, marina.password)).toBe(401)
    expect(await prosa.login(email, 'senha nova boa')).toBe(200)
  })

  it('leaves no hash behind but the one that is valid', async () => {
    const passwords = async () =>
      (await prosa.ports.pool.query("select 1 from secret where kind = 'password'")).rowCount
    const before = await passwords()
    await change(marina.password, 'senha nova boa')
    await change('errada', 'mais uma senha')
    expect(await passwords()).toBe(before)
  })

  it('needs the password that is valid now', async () => {
    const { status, body } = await change('errada', 'senha nova boa')
    expect([status, body.type, body.errors]).toEqual([
      422,
      'wrong_current_password',
      [{ field: 'currentPassword', message: 'A senha atual não confere.' }],
    ])
    expect(await prosa.login(email, marina.password)).toBe(200)
  })
})
