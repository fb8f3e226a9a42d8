import { randomUUID } from 'node:crypto'
import { later } from '@prosa/kernel/clock'
import { testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LookedUpNumbers, lookedUpNumbers } from './looked-up-numbers.ts'
import { contactMigrations } from './migrations/contact-migrations.ts'

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

const keep = async (owner: string, answer: Parameters<LookedUpNumbers['keep']>[2]) => {
  now = asked
  await numbers.keep(owner, phone, answer)
}
const findAfter = (owner: string, ms: number) => {
  now = later(asked, ms)
  return numbers.find(owner, phone)
}

describe('WhatsApp’s answer for a number', () => {
  it('is known for a day: then the number may be somebody else’s', async () => {
    const owner = randomUUID()
    await keep(owner, ana)
    expect(await findAfter(owner, 24 * hour - 1)).toEqual(ana)
    expect(await findAfter(owner, 24 * hour)).toBeUndefined()
  })

  it('that nobody has it is known for six hours: somebody may only just be installing WhatsApp', async () => {
    const owner = randomUUID()
    await keep(owner, 'nobody')
    expect(await findAfter(owner, 6 * hour - 1)).toBe('nobody')
    expect(await findAfter(owner, 6 * hour)).toBeUndefined()
  })

  it('is the tenant’s alone, and goes with it', async () => {
    const [owner, other] = [randomUUID(), randomUUID()]
    await keep(owner, ana)
    expect(await findAfter(other, 0)).toBeUndefined()
    await keep(other, 'nobody')
    await numbers.forgetTenant(owner)
    expect([await findAfter(owner, 0), await findAfter(other, 0)]).toEqual([undefined, 'nobody'])
  })
})
