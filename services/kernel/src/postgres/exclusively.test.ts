import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { tcpProxy } from '../testing/tcp-proxy.ts'
import { until } from '../testing/until.ts'
import { exclusively } from './exclusively.ts'
import { testPostgres } from './testing.ts'

/** Of a holder that shall lose its lock. */
const shortSilenceMs = 1000
/** Of everybody else: on a busy machine a process may not come to its turn for seconds. */
const silenceMs = 9000

const contender = (url: string, name = 'lock', silence = silenceMs) => {
  const stopping = new AbortController()
  const troubles: unknown[] = []
  const current: { isMine?: () => boolean; lock?: AbortSignal } = {}
  let epochs = 0
  const running = exclusively(
    url,
    name,
    stopping.signal,
    async (lock, isMine) => {
      epochs++
      Object.assign(current, { isMine, lock })
      if (!lock.aborted) await once(lock, 'abort')
    },
    { onTrouble: (error) => troubles.push(error), silenceMs: silence },
  )
  const stop = async () => {
    stopping.abort()
    await running
  }
  onTestFinished(stop)
  const isHolder = () => current.lock !== undefined && !current.lock.aborted
  return { epochs: () => epochs, troubles, current, isHolder, stop }
}

/** Only equal silences share a lock connection. */
const processWith = (url: string, ofProcess: number, names: readonly string[]) => {
  const contenders = names.map((name) => contender(url, name, silenceMs + ofProcess))
  return {
    holds: () => names.filter((_, index) => contenders[index]?.isHolder()),
    troubles: () => contenders.flatMap(({ troubles }) => troubles),
    stop: () => Promise.all(contenders.map(({ stop }) => stop())),
  }
}

it('all locks of a process hang on one connection, and each comes and goes for itself', async () => {
  const { url, pool, drop } = await testPostgres()
  onTestFinished(drop)
  const connections = async () => {
    const { rows } = await pool.query(
      "select pid from pg_stat_activity where datname = current_database() and application_name like 'prosa-lock %'",
    )
    return rows.map(({ pid }) => pid)
  }
  const first = contender(url, 'first')
  const second = contender(url, 'second')
  await until(() => first.epochs() === 1 && second.epochs() === 1)
  const next = contender(url, 'first')
  const before = await connections()
  expect(before).toHaveLength(1)
  expect(next.epochs()).toBe(0)
  await first.stop()
  await until(() => next.epochs() === 1)
  expect(await connections()).toEqual(before)
  expect(second.epochs()).toBe(1)
  expect(second.current.isMine?.()).toBe(true)

  await pool.query('select pg_terminate_backend($1)', before)
  await until(() => next.epochs() === 2 && second.epochs() === 2)
  const after = await connections()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  expect([next.troubles.length, second.troubles.length]).toEqual([1, 1])

  await Promise.all([next.stop(), second.stop()])
  await until(async () => (await connections()).length === 0)
})

it('somebody waits in line for another process over one connection, however often it tries', async () => {
  const { url, pool, drop } = await testPostgres()
  onTestFinished(drop)
  const first = contender(url, 'first')
  await until(() => first.epochs() === 1)
  const { rows } = await pool.query(`select classid, objid from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and mode = 'ExclusiveLock'`)
  const lock = (BigInt(rows[0].classid) << 32n) | BigInt(rows[0].objid)
  await first.stop()
  const elsewhere = await pool.connect()
  await elsewhere.query('select pg_advisory_lock($1)', [lock])

  const next = contender(url, 'first')
  const connection = async () => {
    const { rows } = await pool.query(`select pid, query_start as at, query ~ 'pg_locks' as tries from pg_stat_activity
      where datname = current_database() and application_name like 'prosa-lock %'`)
    return rows[0]
  }
  const triedAfter = (at: Date | undefined) =>
    until(async () => {
      const now = await connection()
      return now?.tries && (!at || now.at > at) && now
    })
  const tried = await triedAfter(undefined)
  await triedAfter(tried.at)
  expect(next.epochs()).toBe(0)
  await elsewhere.query('select pg_advisory_unlock($1)', [lock])
  elsewhere.release()
  await until(() => next.epochs() === 1)
  expect((await connection()).pid).toBe(tried.pid)
})

it('a holder that is cut off half open loses the lock, is notified, and somebody else gets it', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const proxy = await tcpProxy(Number(new URL(url).port))
  onTestFinished(proxy.close)
  const throughProxy = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href
  const holder = contender(throughProxy, 'lock', shortSilenceMs)
  await until(() => holder.epochs() === 1)
  const { lock, isMine } = holder.current
  const next = contender(url)
  proxy.freeze()
  await until(() => next.epochs() === 1)
  await until(() => lock?.aborted)
  expect(isMine?.()).toBe(false)
  await until(() => holder.troubles.length > 0)
})

it('a process that stood still knows by its own clock that the lock is lost, before it is notified of anything', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const holder = contender(url, 'lock', shortSilenceMs)
  await until(() => holder.epochs() === 1)
  const { lock, isMine } = holder.current
  // Blocks the event loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, shortSilenceMs)
  expect(lock?.aborted).toBe(false)
  expect(isMine?.()).toBe(false)
  expect(lock?.aborted).toBe(true)
  await until(() => holder.epochs() === 2)
})

it('processes share what they all want, as they come and go, and each lock has one holder', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const names = Array.from({ length: 7 }, (_, index) => `lock ${index}`)
  const first = processWith(url, 0, names)
  await until(() => first.holds().length === 7)
  const others = [1, 2].map((ofProcess) => processWith(url, ofProcess, names))
  const processes = [first, ...others]
  const isSpread = () => processes.map((each) => each.holds().length).toSorted((a, b) => b - a)
  await until(() => String(isSpread()) === '3,3,1' || String(isSpread()) === '3,2,2')
  expect(processes.flatMap((each) => each.holds()).toSorted()).toEqual(names)
  const [second, third] = others
  await third?.stop()
  await until(() => first.holds().length + (second?.holds().length ?? 0) === 7)
  expect(Math.max(first.holds().length, second?.holds().length ?? 0)).toBe(4)
  await second?.stop()
  await until(() => first.holds().length === 7)
  expect(processes.flatMap((each) => each.troubles())).toEqual([])
}, 60_000)

it('work that had better stay stays, however uneven that is', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const stopping = new AbortController()
  const state = { isMovable: false, moves: 0 }
  const staying = ['a', 'b'].map((name) =>
    exclusively(
      url,
      name,
      stopping.signal,
      async (lock) => {
        if (!lock.aborted) await once(lock, 'abort')
        state.moves++
      },
      { onTrouble: () => undefined, isMovable: () => state.isMovable, silenceMs },
    ),
  )
  const connected = processWith(url, 1, ['c'])
  await until(() => connected.holds().length === 1)
  const other = processWith(url, 1, ['a', 'b'])
  await connected.stop()
  // A lock that only this process wants comes after looks at the others.
  const later = processWith(url, 1, ['d'])
  await until(() => later.holds().length === 1)
  expect([other.holds().length, state.moves]).toEqual([0, 0])
  state.isMovable = true
  await until(() => other.holds().length === 1)
  expect(state.moves).toBe(1)
  stopping.abort()
  await Promise.all(staying)
  await until(() => other.holds().length === 2)
}, 60_000)
