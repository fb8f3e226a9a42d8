import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const ana = idOf('ana')
const bakery = {
  name: 'Padaria Sol',
  email: 'oi@padariasol.com.br',
  phone: '(11) 3333-4444',
  website: '',
  address: 'Rua das Flores, 10',
}

describe('what is known of a company', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  let latest = ''
  const record = async (tenant: string, ...events: AnyEvent[]) => {
    for (const event of events) latest = await prosa.append(tenant, `company-${tenant}`, event)
  }
  const companyOf = async (user: string) => (await prosa.get('/api/company', user, latest)).body

  it('is nothing at first: no notifications, and statistics', async () => {
    expect(await companyOf(ana)).toMatchObject({ name: '', notifications: false, analytics: true })
    expect((await prosa.get('/api/company')).status).toBe(401)
  })

  it('is what was written down and chosen last, and stands with the account', async () => {
    const person = { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.com', credentialId: idOf('credential') }
    await prosa.append(ana, `user-${ana}`, { type: 'UserRegistered', data: person })
    await prosa.append(ana, `subscription-${ana}`, { type: 'TrialStarted', data: { endsAt: at(9999) } })
    const choices = { notifications: true, analytics: false }
    await record(ana, { type: 'CompanyDescribed', data: bakery }, { type: 'CompanyChoicesMade', data: choices })
    expect(await companyOf(ana)).toEqual({ ...bakery, ...choices })
    const { body } = await prosa.get('/api/auth/user', ana, latest)
    expect(body.company).toEqual({ name: 'Padaria Sol', ...choices })
  })

  it('is nobody else’s, and goes with the account', async () => {
    const caio = idOf('caio')
    expect((await companyOf(caio)).name).toBe('')
    await record(caio, { type: 'CompanyDescribed', data: { ...bakery, name: 'Oficina' } })
    expect((await companyOf(caio)).name).toBe('Oficina')
    latest = await prosa.append(caio, `user-${caio}`, { type: 'UserErased', data: {} })
    expect((await companyOf(caio)).name).toBe('')
  })
})
