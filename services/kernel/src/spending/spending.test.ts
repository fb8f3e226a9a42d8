import { randomUUID } from 'node:crypto'
import type { Instant } from '@prosa/contracts/values/instant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultBudgets as budgetsOfKernel } from '../budgets.ts'
import { cleanUp } from '../operations/operations.ts'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { postgresSpending } from './spending.ts'

let ports: TestPorts
let now: Instant = '2026-11-25T15:00:00.000Z'
beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

const defaultBudgets = { ...budgetsOfKernel, publishedBytesPerDay: 1_000_000, publishedBytesPerTenant: 1_000_000 }
const process = (budgets: Partial<typeof defaultBudgets>) =>
  postgresSpending({ pool: ports.pool, clock: { now: () => now }, budgets: { ...defaultBudgets, ...budgets } })
const rowsOf = async (tenant: string) =>
  (
    await ports.pool.query<{ kind: string; day: string; amount: string }>(
      'select kind, day, amount from tenant_spending where owner = $1 order by kind, day',
      [tenant],
    )
  ).rows
const times = async (count: number, spend: () => Promise<boolean>) =>
  (await Promise.all(Array.from({ length: count }, spend))).filter(Boolean).length

describe('a budget of a day', () => {
  it('is never passed, however many processes spend at once', async () => {
    const tenant = randomUUID()
    const [one, other] = [process({ changesPerDay: 50 }), process({ changesPerDay: 50 })]
    const spent = await Promise.all(
      [one, other].map((each) => times(60, () => each.spendToday(tenant, 'changesPerDay', 1))),
    )
    expect(spent[0] ?? 0).toBeGreaterThan(0)
    expect((spent[0] ?? 0) + (spent[1] ?? 0)).toBe(50)
  })

  it('is taken in parts where it is spent in small amounts, and to its end where a part is too much', async () => {
    const tenant = randomUUID()
    const one = process({ changesPerDay: 1010 })
    expect(await times(200, () => one.spendToday(tenant, 'changesPerDay', 1))).toBe(200)
    expect(Number((await rowsOf(tenant))[0]?.amount)).toBeLessThanOrEqual(1010)
    let spent = 200
    // Bounded: what never runs out would never yield to a time limit.
    while (spent <= 1010 && (await one.spendToday(tenant, 'changesPerDay', 1))) spent += 1
    expect(spent).toBe(1010)
    expect(await one.spendToday(tenant, 'changesPerDay', 1)).toBe(false)
  })

  it('is reserved once for all who spend of a part at the same time, and shrinks with each', async () => {
    const tenant = randomUUID()
    const one = process({ changesPerDay: 2000 })
    const reserved = async () => (await rowsOf(tenant)).map(({ amount }) => Number(amount))
    expect(await times(10, () => one.spendToday(tenant, 'changesPerDay', 1))).toBe(10)
    expect(await reserved()).toEqual([10])
    expect(await times(20, () => one.spendToday(tenant, 'changesPerDay', 1))).toBe(20)
    expect(await reserved()).toEqual([30])
  })

  it('is not passed by amounts larger than what is left of a part', async () => {
    const tenant = randomUUID()
    const one = process({ changedBytesPerDay: 2000 })
    let spent = 0
    for (let amount = 1; spent <= 2000; amount = amount === 1 ? 8 : 1) {
      if (!(await one.spendToday(tenant, 'changedBytesPerDay', amount))) break
      spent += amount
    }
    expect(spent).toBeGreaterThan(1000)
    expect(spent).toBeLessThanOrEqual(2000)
  })

  it('that one tenant has used up is whole for another, and so are the others of the tenant', async () => {
    const [full, other] = [randomUUID(), randomUUID()]
    const one = process({ draftBytesPerDay: 100 })
    expect(await one.spendToday(full, 'draftBytesPerDay', 101)).toBe(false)
    expect(await one.spendToday(full, 'draftBytesPerDay', 100)).toBe(true)
    expect(await one.spendToday(full, 'draftBytesPerDay', 1)).toBe(false)
    expect(await one.spendToday(other, 'draftBytesPerDay', 100)).toBe(true)
    expect(await one.spendToday(full, 'publishedBytesPerDay', 100)).toBe(true)
  })

  it('begins anew at midnight of São Paulo, and says how long that is', async () => {
    const tenant = randomUUID()
    const one = process({ draftBytesPerDay: 100 })
    now = '2026-11-26T02:59:30.500Z'
    expect(await one.spendToday(tenant, 'draftBytesPerDay', 100)).toBe(true)
    expect(await one.spendToday(tenant, 'draftBytesPerDay', 1)).toBe(false)
    expect(one.secondsUntilTomorrow()).toBe(30)
    now = '2026-11-26T03:00:00.000Z'
    expect(await one.spendToday(tenant, 'draftBytesPerDay', 100)).toBe(true)
    expect(one.secondsUntilTomorrow()).toBe(86_400)
    expect((await rowsOf(tenant)).map(({ day }) => day)).toEqual(['2026-11-25', '2026-11-26'])
  })

  it('is cleaned up days later; what the log keeps stays counted', async () => {
    const tenant = randomUUID()
    const one = process({})
    now = '2026-01-05T12:00:00.000Z'
    await one.spendToday(tenant, 'draftBytesPerDay', 5)
    await one.spendForGood(tenant, 'publishedBytesPerTenant', 7)
    await cleanUp(ports.pool)
    expect(await rowsOf(tenant)).toEqual([{ kind: 'publishedBytesPerTenant', day: '', amount: '7' }])
  })
})

describe('what counts for good', () => {
  it('is taken back where it led to nothing, and goes with the account', async () => {
    const tenant = randomUUID()
    const one = process({ publishedBytesPerTenant: 10 })
    expect(await one.spendForGood(tenant, 'publishedBytesPerTenant', 10)).toBe(true)
    expect(await one.spendForGood(tenant, 'publishedBytesPerTenant', 1)).toBe(false)
    await one.takeBackForGood(tenant, 'publishedBytesPerTenant', 4)
    expect(await one.spendForGood(tenant, 'publishedBytesPerTenant', 4)).toBe(true)
    await one.forget(tenant)
    expect(await rowsOf(tenant)).toEqual([])
  })

  it('gives nobody more than there was, however much is taken back', async () => {
    const tenant = randomUUID()
    const one = process({ publishedBytesPerTenant: 10 })
    expect(await one.spendForGood(tenant, 'publishedBytesPerTenant', 5)).toBe(true)
    for (const _ of [1, 2]) await one.takeBackForGood(tenant, 'publishedBytesPerTenant', 5)
    expect(await one.spendForGood(tenant, 'publishedBytesPerTenant', 11)).toBe(false)
    expect(await one.spendForGood(tenant, 'publishedBytesPerTenant', 10)).toBe(true)
    expect(await one.spendForGood(tenant, 'publishedBytesPerTenant', 1)).toBe(false)
  })

  it('is apart from what counts for the day, which is taken back by itself', async () => {
    const tenant = randomUUID()
    const one = process({ publishedBytesPerDay: 10 })
    expect(await one.spendToday(tenant, 'publishedBytesPerDay', 10)).toBe(true)
    await one.takeBackToday(tenant, 'publishedBytesPerDay', 10)
    expect(await one.spendToday(tenant, 'publishedBytesPerDay', 10)).toBe(true)
  })
})
