import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marina, testIdentity } from '../testing/test-identity.ts'

describe('an account that its owner erases', () => {
  let prosa: Awaited<ReturnType<typeof testIdentity>>
  beforeAll(async () => {
    prosa = await testIdentity()
  })
  afterAll(() => prosa.stop())

  const erase = (cookie: string | undefined, password: string) => prosa.post('erase-account', { password }, cookie)

  it('stays while the password is wrong, and for whoever is not signed in', async () => {
    const { id, cookie } = await prosa.register({ email: 'fica@example.com' })
    expect(await erase(undefined, marina.password)).toMatchObject({ status: 401 })
    expect(await erase(cookie, 'errada')).toMatchObject({ status: 422, body: { type: 'wrong_current_password' } })
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered'])
    expect(await prosa.isSignedIn(cookie)).toBe(true)
  })

  it('keeps why, of a list, with the proof; words of one’s own are refused', async () => {
    const { id, cookie } = await prosa.register({ email: 'motivo@example.com' })
    const refused = await prosa.post('erase-account', { password: marina.password, reason: 'Não gostei' }, cookie)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'reason' }] } })
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered'])
    const erased = await prosa.post('erase-account', { password: marina.password, reason: 'price' }, cookie)
    expect(erased.status).toBe(200)
    const proof = (await everythingIn(prosa.ports.store, 'user')).findLast(({ stream }) => stream === `user-${id}`)
    expect(proof).toMatchObject({ type: 'UserErased', data: { why: 'price' } })
  })

  it('ends at once in every browser, and its address is free for a new one', async () => {
    const email = 'vai@example.com'
    const { id, cookie } = await prosa.register({ email })
    const other = await prosa.post('login', { email, password: marina.password })
    expect(await erase(cookie, marina.password)).toMatchObject({ status: 200, body: { erased: true } })
    for (const ended of [cookie, other.cookie ?? '']) expect(await prosa.isSignedIn(ended)).toBe(false)
    expect(await prosa.login(email, marina.password)).toBe(401)
    expect((await prosa.historyOf(id)).at(-1)).toBe('UserErased')
    await until(async () => (await prosa.post('register', { ...marina, email })).status === 201)
  })

  it('is erased once, and who asks again under the same key gets the same reply', async () => {
    const { id, cookie } = await prosa.register({ email: 'duas@example.com' })
    const ask = () =>
      fetch(`${prosa.url()}/api/auth/erase-account`, {
        method: 'POST',
        headers: {
          cookie,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          [idempotencyKeyHeader]: 'k',
        },
        body: JSON.stringify({ password: marina.password }),
      })
    const replies = [await ask(), await ask()]
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    for (const reply of replies) expect(await reply.json()).toEqual({ erased: true })
    expect((await prosa.historyOf(id)).filter((type) => type === 'UserErased')).toHaveLength(1)
  })
})
