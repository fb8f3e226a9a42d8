import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { marina, testIdentity } from '../testing/test-identity.ts'

const next = 'senha nova comprida'

describe('a request that was cut short before the sessions ended', () => {
  let prosa: Awaited<ReturnType<typeof testIdentity>>
  let people = 0
  let email: string
  let tenant: { id: string; cookie: string }
  let other: string
  beforeAll(async () => {
    prosa = await testIdentity()
  })
  beforeEach(async () => {
    email = `pessoa${++people}@example.com`
    tenant = await prosa.register({ email })
    other = (await prosa.post('login', { email, password: marina.password })).cookie ?? ''
  })
  afterAll(() => prosa.stop())

  const change = (key: string, currentPassword = marina.password, newPassword = next) =>
    prosa.put('password', { currentPassword, newPassword }, tenant.cookie, key)
  const otherIsOut = async () => !(await prosa.isSignedIn(other))
  const count = async (type: string) => (await prosa.historyOf(tenant.id)).filter((found) => found === type).length

  it('ends them all the same, but for the one that set the password and those that came with the new one', async () => {
    const restore = prosa.breakSessions()
    expect((await change(randomUUID())).status).toBe(503)
    expect(await otherIsOut()).toBe(false)
    restore()
    await until(otherIsOut)
    const later = (await prosa.post('login', { email, password: next })).cookie ?? ''
    expect([await prosa.isSignedIn(tenant.cookie), await prosa.isSignedIn(later)]).toEqual([true, true])
  })

  it('is answered from the log when it is repeated, though the old password is no longer right', async () => {
    const restore = prosa.breakSessions()
    const key = randomUUID()
    expect((await change(key)).status).toBe(503)
    expect((await change(key)).status).toBe(503)
    restore()
    expect(await change(key)).toMatchObject({ status: 200, body: { passwordSet: true } })
    expect(await otherIsOut()).toBe(true)
    expect(await prosa.isSignedIn(tenant.cookie)).toBe(true)
    expect(await count('PasswordChanged')).toBe(1)
  })

  it('leaves whoever signed in since alone when it is repeated after yet another change', async () => {
    const restore = prosa.breakSessions()
    const key = randomUUID()
    expect((await change(key)).status).toBe(503)
    restore()
    expect((await change(randomUUID(), next, 'mais uma senha nova')).status).toBe(200)
    expect((await change(key)).status).toBe(200)
    expect(await prosa.isSignedIn(tenant.cookie)).toBe(true)
    expect(await prosa.login(email, 'mais uma senha nova')).toBe(200)
  })

  it('sets a forgotten password once, and the link holds for its own repetition alone', async () => {
    const { body } = await prosa.post('forgot-password', { email })
    const token = new URL(String(body.resetLink)).searchParams.get('token')
    const reset = (key: string) => prosa.post('reset-password', { token, password: next }, undefined, key)
    const restore = prosa.breakSessions()
    const key = randomUUID()
    expect((await reset(key)).status).toBe(503)
    restore()
    expect(await reset(key)).toMatchObject({ status: 200, body: { passwordSet: true } })
    expect((await reset(randomUUID())).status).toBe(410)
    expect([await prosa.isSignedIn(tenant.cookie), await prosa.isSignedIn(other)]).toEqual([false, false])
    expect([await count('PasswordChanged'), await prosa.login(email, next)]).toEqual([1, 200])
  })

  it('erases an account once, and never answers that the password was wrong when it is repeated', async () => {
    const erase = (key: string) => prosa.post('erase-account', { password: marina.password }, tenant.cookie, key)
    const restore = prosa.breakSessions()
    const key = randomUUID()
    expect((await erase(key)).status).toBe(503)
    expect((await erase(key)).status).toBe(503)
    restore()
    await until(otherIsOut)
    expect(await count('UserErased')).toBe(1)
  })
})
