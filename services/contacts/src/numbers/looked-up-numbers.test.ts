import { randomUUID } from 'node:crypto'
import { later } from '@prosa/kernel/clock'
import { testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactMigrations } from '../migrations/contact-migrations.ts'
import { type LookedUpNumbers, lookedUpNumbers } from './looked-up-numbers.ts'

const asked = '2026-06-01T12:00:00.000Z'
const hour = 3_600_000
const phone = '5511988776655'
const ana = { phone, lid: '1636@lid' }

let ports: Awaited<ReturnType<typeof testPorts>>
let numbers: LookedUpNumbers
let now = asked
beforeAll(async () => {
  ports = await testPorts({ migrations: [contactMigrations] })
  numbers = lookedUpNumbers(ports.pool, ports.box, { now: () => now })
})
afterAll(() => ports.close())

const keep = async (tenant: string, answer: Parameters<LookedUpNumbers['store']>[2]) => {
  now = asked
  await numbers.store(tenant, phone, answer)
}
const findAfter = (tenant: string, ms: number) => {
  now = later(asked, ms)
  return numbers.find(tenant, phone)
}

describe('WhatsApp’s answer for a number', () => {
  it('is known for a day: then the number may be somebody else’s', async () => {
    const tenant = randomUUID()
    await keep(tenant, ana)
    expect(await findAfter(tenant, 24 * hour - 1)).toEqual(ana)
    expect(await findAfter(tenant, 24 * hour)).toBeUndefined()
  })

  it('that nobody has it is known for six hours: somebody may only just be installing WhatsApp', async () => {
    const tenant = randomUUID()
    await keep(tenant, 'nobody')
    expect(await findAfter(tenant, 6 * hour - 1)).toBe('nobody')
    expect(await findAfter(tenant, 6 * hour)).toBeUndefined()
  })

  it('is the tenant’s alone, and goes with it', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()]
    await keep(tenant, ana)
    expect(await findAfter(other, 0)).toBeUndefined()
    await keep(other, 'nobody')
    await numbers.forgetTenant(tenant)
    expect([await findAfter(tenant, 0), await findAfter(other, 0)]).toEqual([undefined, 'nobody'])
  })
})
