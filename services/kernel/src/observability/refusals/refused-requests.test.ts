import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { silentLog } from '../log.ts'
import { maxRowsPerAccount, maxRowsPerDay } from './queries.ts'
import { type RefusedRequests, refusedRequests } from './refused-requests.ts'

const box = { fingerprint: (value: string) => `hash of ${value}` }
let now = '2026-11-27T12:00:00.000Z'
let database: Awaited<ReturnType<typeof kernelDatabase>>
let one: RefusedRequests
let other: RefusedRequests

beforeAll(async () => {
  database = await kernelDatabase()
  const deps = { pool: database.pool, clock: { now: () => now }, log: silentLog(), box }
  one = refusedRequests(deps)
  other = refusedRequests(deps)
})
beforeEach(() => database.pool.query('delete from refused_request'))
afterAll(() => database.drop())

const login = {
  refusal: 'wrong_credentials',
  account: 'ana',
  route: 'POST /api/auth/login',
  ip: '203.0.113.7',
} as const
const rows = async () =>
  (await database.pool.query('select * from refused_request order by day, account, address')).rows.map(
    ({ account, address, count, day, last_at: lastAt }) => ({ account, address, count: Number(count), day, lastAt }),
  )

describe('refused requests', () => {
  it('are counted by day, account, route, reason and hashed address, over processes', async () => {
    for (let times = 0; times < 3; times++) one.note(login)
    other.note(login)
    await Promise.all([one.flush(), other.flush()])
    expect(await rows()).toEqual([
      { account: 'ana', address: 'HASH OF 203.0.113.7', count: 4, day: '2026-11-27', lastAt: now },
    ])
    expect(JSON.stringify(await rows())).not.toContain('"203')
  })

  it('belong to the day of São Paulo', async () => {
    const [noon, night] = [now, '2026-11-28T02:00:00.000Z']
    now = night
    one.note(login)
    await one.flush()
    now = noon
    expect((await rows()).map(({ day }) => day)).toEqual(['2026-11-27'])
  })

  it('of a flood from many addresses fill no more than their rows, and none goes uncounted', async () => {
    const flood = 3 * maxRowsPerDay
    for (let index = 0; index < flood; index++) {
      one.note({ ...login, account: `account ${index % 60}`, ip: `2001:db8:${index.toString(16)}::1` })
      if (index % 150 === 149) await one.flush()
    }
    await one.flush()
    const stored = await rows()
    expect(stored.length).toBeLessThanOrEqual(maxRowsPerDay + 200)
    expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(flood)
  })

  it('of one account or one burst leave room for others', async () => {
    for (let index = 0; index < 5 * maxRowsPerAccount; index++) {
      one.note({ ...login, ip: `2001:db8:${index.toString(16)}::1` })
      if (index % 50 === 49) await one.flush()
    }
    other.note({ ...login, account: 'bia' })
    await other.flush()
    const stored = await rows()
    expect(stored.filter(({ account }) => account === 'ana').length).toBeLessThanOrEqual(maxRowsPerAccount + 50)
    expect(stored.filter(({ account }) => account === 'bia')).toHaveLength(1)
  })

  it('are gone with the account, also those that waited, and after 30 days', async () => {
    one.note(login)
    await one.flush()
    one.note(login)
    await one.forget('ana')
    await one.flush()
    expect(await rows()).toEqual([])
    one.note({ ...login, account: undefined })
    await one.flush()
    const before = now
    now = '2026-12-29T12:00:00.000Z'
    one.note({ ...login, account: 'bia' })
    await one.flush()
    now = before
    expect((await rows()).map(({ account }) => account)).toEqual(['bia'])
  })

  it('are kept in memory while the database does not answer', async () => {
    const log = silentLog()
    let isAway = true
    const pool = {
      query: (...asked: unknown[]) =>
        isAway ? Promise.reject(new Error('away')) : (database.pool.query as (...all: unknown[]) => unknown)(...asked),
    }
    const counter = refusedRequests({ pool: pool as never, clock: { now: () => now }, log, box })
    counter.note(login)
    await counter.flush()
    isAway = false
    counter.note(login)
    await counter.close()
    expect((await rows()).map(({ count }) => count)).toEqual([2])
  })
})
