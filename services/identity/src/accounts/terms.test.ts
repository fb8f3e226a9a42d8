import { termsWritten } from '@prosa/contracts/values/terms'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marina, testIdentity } from '../testing/test-identity.ts'

describe('terms of use', () => {
  let identity: Awaited<ReturnType<typeof testIdentity>>
  beforeAll(async () => {
    identity = await testIdentity({ termsVersion: '2027-03-01' })
  })
  afterAll(() => identity.stop())

  const people = { made: 0 }
  const newPerson = () => ({ ...marina, email: `pessoa${++people.made}@example.com` })
  const register = async (acceptedTerms?: string) => {
    const { status, body, cookie } = await identity.post('register', { ...newPerson(), acceptedTerms })
    return { status, body, cookie, history: status === 201 ? await identity.historyOf(body.id) : [] }
  }
  const accept = (version: unknown, cookie?: string, key?: string) =>
    identity.post('accept-terms', { version }, cookie, key)

  it('are accepted with the registration, in the version that the screen showed', async () => {
    const now = await register('2027-03-01')
    expect(now.history).toEqual(['UserRegistered', 'TermsAccepted'])
    const openForLong = await register(termsWritten)
    expect([openForLong.status, openForLong.history]).toEqual([201, ['UserRegistered', 'TermsAccepted']])
  })

  it('are accepted later by who registered without them, once for a repeated request and for a second press', async () => {
    const { body, cookie, history } = await register()
    expect(history).toEqual(['UserRegistered'])
    const key = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a42'
    for (const each of [key, key, undefined])
      expect((await accept('2027-03-01', cookie, each)).body).toEqual({ version: '2027-03-01' })
    expect(await identity.historyOf(body.id)).toEqual(['UserRegistered', 'TermsAccepted'])
  })

  it('are no others than there were: none of a day to come, none from before the first', async () => {
    const { cookie } = await register()
    for (const version of ['2027-03-02', '9999-12-31', '2020-01-01'])
      expect([(await accept(version, cookie)).status, (await register(version)).status]).toEqual([422, 422])
    expect((await accept('2027-03-02', cookie)).body.errors).toEqual([
      { field: 'version', message: 'Não há termos de uso com esta data.' },
    ])
    for (const version of ['', 'amanhã', '2027-02-30', null, 7])
      expect((await accept(version, cookie)).status).toBe(422)
  })

  it('are accepted by the account that is signed in, for nobody else, and by no visitor', async () => {
    expect((await accept('2027-03-01')).status).toBe(401)
    const [one, other] = [await register(), await register()]
    await accept('2027-03-01', one.cookie)
    expect(await identity.historyOf(one.body.id)).toContain('TermsAccepted')
    expect(await identity.historyOf(other.body.id)).not.toContain('TermsAccepted')
  })

  it('stay accepted over a restart, and are asked anew by a later version', async () => {
    const { body, cookie } = await register('2027-03-01')
    await identity.restart({ termsVersion: '2027-09-01' })
    await accept('2027-03-01', cookie)
    expect(await identity.historyOf(body.id)).toEqual(['UserRegistered', 'TermsAccepted'])
    await accept('2027-09-01', cookie)
    expect(await identity.historyOf(body.id)).toEqual(['UserRegistered', 'TermsAccepted', 'TermsAccepted'])
  })
})
