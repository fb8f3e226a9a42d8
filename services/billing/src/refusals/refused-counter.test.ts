import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { billingMigrations } from '../migrations/billing-migrations.ts'
import { deleteRefusedBefore, findRefused, findRefusedAddresses, findRefusedSources } from './queries.ts'
import { type Refused, refusedCounter } from './refused-counter.ts'

const hour = '2026-11-25T12'
const hours = { from: hour, to: '2026-11-25T13' }
let now = `${hour}:00:00.000Z`
let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [billingMigrations] })
})
afterAll(() => ports.close())
beforeEach(async () => {
  now = `${hour}:00:00.000Z`
  await ports.pool.query('truncate refused_delivery')
})

const process = (pool = ports.pool) => refusedCounter({ pool, clock: { now: () => now } })
const refused = (address: string, more: Partial<Refused> = {}): Refused => ({
  endpoint: 'approved',
  reason: 'signature',
  address,
  ...more,
})
const total = async () => (await findRefused(ports.pool, hours)).reduce((sum, { count }) => sum + count, 0)
const rows = async () => (await ports.pool.query('select from refused_delivery')).rowCount

describe('refused deliveries', () => {
  it('are all counted, over all processes, however many come at once', async () => {
    const counters = [process(), process(), process()]
    const sent = Array.from({ length: 600 }, (_, index) =>
      counters[index % 3]?.count(refused(`203.0.113.${index % 7}`)),
    )
    await Promise.all(sent)
    expect(await total()).toBe(600)
    expect(await rows()).toBe(7)
  })

  it('of one process are stored by one statement at a time, with all that waits', async () => {
    let [atOnce, maxAtOnce, statements] = [0, 0, 0]
    const pool = new Proxy(ports.pool, {
      get: (target, name) =>
        name === 'query'
          ? async (...given: Parameters<typeof target.query>) => {
              statements += 1
              maxAtOnce = Math.max(maxAtOnce, ++atOnce)
              return Promise.resolve(target.query(...given)).finally(() => atOnce--)
            }
          : Reflect.get(target, name),
    })
    const counter = process(pool)
    await Promise.all(Array.from({ length: 1000 }, () => counter.count(refused('203.0.113.7'))))
    expect([await total(), maxAtOnce]).toEqual([1000, 1])
    expect(statements).toBeLessThan(10)
  })

  it('are stored in few rows, whatever addresses they come from', async () => {
    const counters = [process(), process()]
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => counters[index % 2]?.count(refused(`2001:db8:${round}:${index}::`))),
      )
    expect(await total()).toBe(1000)
    expect(await rows()).toBeLessThan(210)
  })

  it('keep no more of an address than an address can have', async () => {
    await process().count(refused('x'.repeat(100_000)))
    const { rows: found } = await ports.pool.query('select max(length(address)) as longest from refused_delivery')
    expect(found).toEqual([{ longest: 64 }])
  })

  it('of an address that is known stay under it once there are too many others', async () => {
    const counter = process()
    await counter.count(refused('203.0.113.7'))
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 49 }, (_, index) => counter.count(refused(`10.0.${round}.${index}`))))
    await counter.count(refused('203.0.113.7'))
    expect(await findRefusedAddresses(ports.pool, hours, 1)).toEqual([{ address: '203.0.113.7', count: 2 }])
  })

  it('that cannot be stored are stored with the next', async () => {
    let isAway = true
    const pool = new Proxy(ports.pool, {
      get: (target, name) =>
        name === 'query' && isAway
          ? async () => {
              throw new Error('Connection terminated unexpectedly')
            }
          : Reflect.get(target, name),
    })
    const counter = process(pool)
    await expect(counter.count(refused('203.0.113.7'))).rejects.toThrow('terminated')
    now = `${hour}:30:00.000Z`
    counter.note(refused('203.0.113.7'))
    isAway = false
    expect(await total()).toBe(0)
    await counter.flush()
    await counter.flush()
    expect(await findRefusedSources(ports.pool, hours, 5)).toEqual([
      { ...refused('203.0.113.7'), count: 2, lastAt: `${hour}:30:00.000Z` },
    ])
  })

  it('are deleted once their time is over', async () => {
    const counter = process()
    await counter.count(refused('203.0.113.7'))
    now = '2026-11-25T13:00:00.000Z'
    await counter.count(refused('203.0.113.8'))
    await deleteRefusedBefore(ports.pool, '2026-11-25T13')
    expect((await findRefusedSources(ports.pool, hours, 5)).map(({ address }) => address)).toEqual(['203.0.113.8'])
  })

  it('without a signature are no source that somebody is sent to look at', async () => {
    await process().count(refused('203.0.113.9', { reason: 'unsigned' }))
    expect(await findRefusedAddresses(ports.pool, hours, 5)).toEqual([])
  })
})
