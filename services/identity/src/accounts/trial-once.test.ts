import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marina, testIdentity } from '../testing/test-identity.ts'

describe('the free period of an address', () => {
  let prosa: Awaited<ReturnType<typeof testIdentity>>
  beforeAll(async () => {
    prosa = await testIdentity()
  })
  afterAll(() => prosa.stop())

  const register = (email: string) => prosa.post('register', { ...marina, email })
  const move = async (cookie: string, email: string) => {
    const { firstName, lastName, password: currentPassword } = marina
    return prosa.put('user', { firstName, lastName, email, currentPassword }, cookie)
  }
  const last = async (userId: string, type: 'UserRegistered' | 'EmailChanged') =>
    (await everythingIn(prosa.ports.store, 'user')).findLast(
      (event) => event.stream === `user-${userId}` && event.type === type,
    )?.data
  const registerAnew = (email: string) =>
    until(async () => {
      const reply = await register(email)
      return reply.status === 201 && reply
    })

  it('is given to the first account, and to nobody who registers it once that was erased', async () => {
    const email = 'uma.vez@example.com'
    const first = await register(email)
    expect([first.status, first.body.hasTrial]).toEqual([201, true])
    await prosa.post('erase-account', { password: marina.password }, first.cookie)
    const second = await registerAnew(email)
    expect(second.body).toEqual({ id: expect.not.stringContaining(first.body.id), hasTrial: false })
    expect(await last(second.body.id, 'UserRegistered')).toMatchObject({ isTrialUsed: true })
    const claims = JSON.stringify(
      (await everythingIn(prosa.ports.store, 'emailClaim')).map(({ stream, data, metadata }) => [
        stream,
        data,
        metadata,
      ]),
    )
    expect(claims).not.toContain('uma.vez')
  })

  it('is known of the address however it is typed', async () => {
    const { cookie } = await prosa.register({ email: 'jeito@example.com' })
    await prosa.post('erase-account', { password: marina.password }, cookie)
    expect((await registerAnew('  JeiTo@Example.COM ')).body.hasTrial).toBe(false)
  })

  it('is lost by both of two accounts that take each other’s address, and by neither that goes back to its own', async () => {
    const [one, other] = ['troca.um@example.com', 'troca.dois@example.com']
    const [first, second] = [await prosa.register({ email: one }), await prosa.register({ email: other })]
    const moveOnceFree = (cookie: string, email: string) =>
      until(async () => (await move(cookie, email)).status === 200)
    await move(first.cookie, 'troca.meio@example.com')
    await moveOnceFree(second.cookie, one)
    await moveOnceFree(first.cookie, other)
    expect(await last(first.id, 'EmailChanged')).toMatchObject({ email: other, isTrialUsed: true })
    expect(await last(second.id, 'EmailChanged')).toMatchObject({ email: one, isTrialUsed: true })
    await move(first.cookie, 'troca.meio@example.com')
    await moveOnceFree(second.cookie, other)
    await moveOnceFree(first.cookie, one)
    expect(await last(first.id, 'EmailChanged')).not.toHaveProperty('isTrialUsed')
    expect(await last(second.id, 'EmailChanged')).not.toHaveProperty('isTrialUsed')
  })

  it('is not given once more to who moves on and registers the address that was left', async () => {
    const email = 'deixado@example.com'
    const first = await register(email)
    expect((await move(first.cookie ?? '', 'novo@example.com')).status).toBe(200)
    expect((await registerAnew(email)).body.hasTrial).toBe(false)
  })

  it('stays with an account that moves away and comes back', async () => {
    const email = 'volta@example.com'
    const { id, cookie } = await prosa.register({ email })
    await move(cookie, 'fora@example.com')
    await move(cookie, email)
    expect(await last(id, 'EmailChanged')).not.toHaveProperty('isTrialUsed')
  })

  it('ends where an account with a free period moves to an address that had its own with another', async () => {
    const email = 'gasto@example.com'
    const { cookie } = await prosa.register({ email })
    await prosa.post('erase-account', { password: marina.password }, cookie)
    const fresh = await prosa.register({ email: 'inventado@example.com' })
    await until(async () => (await move(fresh.cookie, email)).status === 200)
    expect(await last(fresh.id, 'EmailChanged')).toMatchObject({ isTrialUsed: true })
  })

  it('is used up by an account that came to the address by moving there', async () => {
    const email = 'de.mudanca@example.com'
    const { cookie } = await prosa.register({ email: 'de.origem@example.com' })
    await move(cookie, email)
    await prosa.post('erase-account', { password: marina.password }, cookie)
    expect((await registerAnew(email)).body.hasTrial).toBe(false)
  })

  it('is given once where two register an address at once that nobody ever had, and to neither of one that was', async () => {
    const both = (email: string) => Promise.all([register(email), register(email)])
    const opened = (replies: { status: number; body: { hasTrial?: boolean } }[]) =>
      replies.filter(({ status }) => status === 201).map(({ body }) => body.hasTrial)
    expect(opened(await both('corrida@example.com'))).toContain(true)
    const { cookie } = await prosa.register({ email: 'corrida.2@example.com' })
    await prosa.post('erase-account', { password: marina.password }, cookie)
    const again = await until(async () => {
      const replies = await both('corrida.2@example.com')
      return replies.some(({ status }) => status === 201) && replies
    })
    expect(opened(again)).not.toContain(true)
    const claims = await everythingIn(prosa.ports.store, 'user')
    const registered = claims.filter(({ type, data }) => type === 'UserRegistered' && data.isTrialUsed)
    expect(new Set(registered.map(({ stream }) => stream)).size).toBe(registered.length)
  })

  it('is known of addresses that were left before it was asked for', async () => {
    const email = 'antigo@example.com'
    const stream = `emailClaim-${prosa.ports.box.fingerprint(email, 'e-mail claim')}`
    const userId = randomUUID()
    const events: AnyEvent[] = [
      { type: 'EmailClaimed', data: { userId } },
      { type: 'EmailReleased', data: { userId } },
    ]
    const metadata = {
      causationId: 'x',
      correlationId: 'x',
      actor: { kind: 'user', id: userId },
      tenant: null,
      recordedAt: prosa.ports.clock.now(),
    } as const
    const encoded = await prosa.ports.codec.encode(
      events.map((event) => ({ id: randomUUID(), stream, event, metadata })),
    )
    await prosa.ports.store.append(stream, 'no_stream', encoded)
    expect((await register(email)).body.hasTrial).toBe(false)
    // Aliases are different addresses.
    expect((await register('antigo+1@example.com')).body.hasTrial).toBe(true)
  })

  it('is not begun once more by a registration that is sent again', async () => {
    const send = () => prosa.post('register', { ...marina, email: 'repetida@example.com' }, undefined, 'chave-de-um')
    const replies = [await send(), await send()]
    expect(replies.map(({ body }) => body.hasTrial)).toEqual([true, true])
    expect(replies[0]?.body.id).toBe(replies[1]?.body.id)
  })
})
