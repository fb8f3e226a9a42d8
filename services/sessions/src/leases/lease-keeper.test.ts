import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { processIdentity } from '@prosa/kernel/process-identity'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { tcpProxy } from '@prosa/kernel/testing/tcp-proxy'
import { until } from '@prosa/kernel/testing/until'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { type Lease, LeaseLost, leaseKeeper } from './lease-keeper.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase(sessionMigrations)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('delete from connection_lease')
  await database.pool.query('delete from session_process')
})

const long = 60_000
const aProcess = (leaseMs = long, more: { pool?: Pool; monotonicNow?: () => number } = {}) =>
  leaseKeeper({ pool: database.pool, log: silentLog(), leaseMs, ...more })

const ids = (leases: readonly Lease[]) => leases.map(({ connectionId }) => connectionId)
const connections = (count: number) => Array.from({ length: count }, () => randomUUID())

const keepRunning = (keeper: ReturnType<typeof aProcess>) => {
  const stopping = new AbortController()
  const run = keeper.run(stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await run
  })
}

const timePasses = () => database.pool.query(`update connection_lease set expires_at = clock_timestamp()`)

describe('the lease of a connection', () => {
  it('belongs to one process: of many that ask at once, each gets others', async () => {
    const wanted = connections(40)
    await aProcess().announce(wanted)
    const taken = await Promise.all(Array.from({ length: 10 }, () => aProcess().takeFree(5)))
    expect(taken.flatMap(ids).sort()).toEqual(wanted.sort())
    expect(await aProcess().takeFree(5)).toEqual([])
  })

  it('is not stolen while it lasts, and goes to somebody else once it is over', async () => {
    await aProcess().announce(connections(1))
    const [first] = await aProcess().takeFree(1)
    expect(await aProcess().takeFree(1)).toEqual([])
    await timePasses()
    const [second] = await aProcess().takeFree(1)
    expect(second?.connectionId).toBe(first?.connectionId)
    expect(Number(second?.token)).toBeGreaterThan(Number(first?.token))
  })

  it('is not shortened by the answer to an earlier renewal that comes late', async () => {
    let now = 0
    let answer: () => void = () => undefined
    let isDelayed = false
    const { pool } = database
    const slow = Object.assign(Object.create(pool) as Pool, {
      async query(...about: Parameters<Pool['query']>) {
        const answered = await pool.query(...about)
        if (isDelayed)
          await new Promise<void>((resolve) => {
            isDelayed = false
            answer = resolve
          })
        return answered
      },
    })
    const keeper = aProcess(1000, { pool: slow, monotonicNow: () => now })
    await keeper.announce(connections(1))
    const [lease] = await keeper.takeFree(1)
    if (!lease) throw new Error('it is free')
    isDelayed = true
    const first = lease.confirm()
    await until(() => !isDelayed)
    now = 800
    await lease.confirm()
    answer()
    await first
    now = 1500
    lease.require()
    now = 1800
    expect(() => lease.require()).toThrow(LeaseLost)
  })

  it('lasts for as long as it is renewed', async () => {
    const keeper = aProcess(1000)
    await keeper.announce(connections(3))
    const leases = await keeper.takeFree(3)
    const { rows } = await database.pool.query('select max(expires_at) as last from connection_lease')
    keepRunning(keeper)
    await until(async () => {
      const now = await database.pool.query('select min(expires_at) as first from connection_lease')
      return now.rows[0].first > rows[0].last
    })
    for (const lease of leases) lease.require()
  })

  it('is free for the next the moment it is given back, and only then forgotten when nobody has to look after it', async () => {
    const [one, other] = [aProcess(), aProcess()]
    await one.announce(connections(2))
    const leases = await one.takeFree(2)
    await one.release(leases)
    for (const lease of leases) expect(() => lease.require()).toThrow(LeaseLost)
    const [kept, finished] = await other.takeFree(2)
    if (finished) await other.finish(finished)
    expect(await other.takeFree(2)).toEqual([])
    const { rows } = await database.pool.query('select connection_id as id from connection_lease')
    expect(rows).toEqual([{ id: kept?.connectionId }])
  })

  it('stays with its holder, however often others announce the connection', async () => {
    const wanted = connections(1)
    const keeper = aProcess()
    await keeper.announce(wanted)
    const [lease] = await keeper.takeFree(1)
    await aProcess().announce(wanted)
    expect(await aProcess().takeFree(1)).toEqual([])
    await expect(lease?.confirm()).resolves.toBeUndefined()
  })

  it('is free at once when its holder was a process of this machine that is dead, and no other one is', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
    onTestFinished(() => void child.kill('SIGKILL'))
    const wanted = connections(4)
    const keeper = aProcess()
    await keeper.announce(wanted)
    await keeper.takeFree(4)
    const { rows } = await database.pool.query<{ process: string }>(
      'select distinct holder_process as process from connection_lease',
    )
    const mine = rows[0]?.process ?? ''
    const identity = await until(() => processIdentity(child.pid ?? 0))
    const ofChild = mine.replace(/process .*/, `process ${identity}`)
    const elsewhere = ofChild.replace(/^/, 'another ')
    const holders = [ofChild, elsewhere, mine.replace(/$/, '0'), mine]
    for (const [index, name] of holders.entries())
      await database.pool.query('update connection_lease set holder_process = $2 where connection_id = $1', [
        wanted[index],
        name,
      ])
    // This process's id with another start time is another process: dead.
    expect(ids(await aProcess().takeFree(4))).toEqual([wanted[2]])
    child.kill('SIGKILL')
    const [taken] = await until(async () => {
      const found = await aProcess().takeFree(4)
      return found.length > 0 && found
    })
    expect(taken?.connectionId).toBe(wanted[0])
    expect(await aProcess().takeFree(4)).toEqual([])
  })

  it.runIf(process.platform === 'linux')('is not taken from another machine that has the same name', async () => {
    const keeper = aProcess()
    await keeper.announce(connections(1))
    await keeper.takeFree(1)
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    const twin = await database.pool.query(
      'update connection_lease set holder_process = replace(holder_process, $1, $2)',
      [boot, randomUUID()],
    )
    expect(twin.rowCount).toBe(1)
    expect(await aProcess().takeFree(1)).toEqual([])
  })

  it('is over for a process that stood still, before anything reaches that one', async () => {
    let now = 0
    const frozen = aProcess(long, { monotonicNow: () => now })
    await frozen.announce(connections(1))
    const [lease] = await frozen.takeFree(1)
    lease?.require()
    now += long
    expect(() => lease?.require()).toThrow(LeaseLost)
    expect(lease?.signal.aborted).toBe(true)
    expect(lease?.signal.reason).toBeInstanceOf(LeaseLost)
  })

  it('is over for a process whose clock stood still with it, as soon as it asks', async () => {
    const suspended = aProcess(long, { monotonicNow: () => 0 })
    await suspended.announce(connections(1))
    const [lease] = await suspended.takeFree(1)
    await timePasses()
    await aProcess().takeFree(1)
    lease?.require()
    await expect(lease?.confirm()).rejects.toThrow(LeaseLost)
    expect(lease?.signal.aborted).toBe(true)
  })

  it('is believed in no longer than the database believes: from the question on, however late its answer comes', async () => {
    let now = 0
    const slowToAnswer = Object.assign(Object.create(database.pool), {
      query: async (...question: [string, unknown[]]) => {
        const answer = await database.pool.query(...question)
        now += long / 2
        return answer
      },
    })
    const keeper = aProcess(long, { pool: slowToAnswer, monotonicNow: () => now })
    await aProcess().announce(connections(1))
    const takenAt = async () => {
      const before = now
      const [lease] = await keeper.takeFree(1)
      return { lease, asked: before + long / 2 }
    }
    const { lease, asked } = await takenAt()
    now = asked + long - 1
    lease?.require()
    const renewedAt = now
    await lease?.confirm()
    now = renewedAt + long - 1
    lease?.require()
    now = renewedAt + long
    expect(() => lease?.require()).toThrow(LeaseLost)
  })

  it('cannot be given back, renewed or ended by whoever had it before', async () => {
    const old = aProcess(long, { monotonicNow: () => 0 })
    await old.announce(connections(2))
    const [renewed, released] = await old.takeFree(2)
    await timePasses()
    await aProcess().takeFree(2)
    await expect(renewed?.confirm()).rejects.toThrow(LeaseLost)
    if (released) await old.release([released])
    if (renewed) await old.finish(renewed)
    expect(await aProcess().takeFree(2)).toEqual([])
    const { rows } = await database.pool.query('select from connection_lease')
    expect(rows).toHaveLength(2)
  })

  it('is over in time though the database does not answer, and can be had again when it does', async () => {
    const proxy = await tcpProxy(Number(new URL(database.url).port))
    const pool = openPool(Object.assign(new URL(database.url), { port: String(proxy.port) }).href)
    onTestFinished(async () => {
      await proxy.close()
      await pool.end()
    })
    const keeper = aProcess(300, { pool })
    await keeper.announce(connections(1))
    const [lease] = await keeper.takeFree(1)
    keepRunning(keeper)
    proxy.freeze()
    await until(() => lease?.signal.aborted)
    const [again] = await until(async () => {
      const taken = await aProcess().takeFree(1)
      return taken.length > 0 && taken
    })
    expect(again?.connectionId).toBe(lease?.connectionId)
    proxy.refuse(true)
  })
})
