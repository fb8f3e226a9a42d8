import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { tcpProxy } from '../testing/tcp-proxy.ts'
import { until } from '../testing/until.ts'
import { exclusively } from './exclusively.ts'
import { testPostgres } from './testing.ts'

const silenceMs = 1000

const contender = (url: string, name = 'lock') => {
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
    { onTrouble: (error) => troubles.push(error), silenceMs },
  )
  const stop = async () => {
    stopping.abort()
    await running
  }
  onTestFinished(stop)
  return { epochs: () => epochs, troubles, current, stop }
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
    where datname = current_database() and locktype = 'advisory'`)
  const lock = (BigInt(rows[0].classid) << 32n) | BigInt(rows[0].objid)
  await first.stop()
  const elsewhere = await pool.connect()
  await elsewhere.query('select pg_advisory_lock($1)', [lock])

  const next = contender(url, 'first')
  const connection = async () => {
    const { rows } =
      await pool.query(`select pid, query_start as at, query ~ 'try_advisory' as tries from pg_stat_activity
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
  const holder = contender(Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href)
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
  const holder = contender(url)
  await until(() => holder.epochs() === 1)
  const { lock, isMine } = holder.current
  // Blocks the event loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, silenceMs)
  expect(lock?.aborted).toBe(false)
  expect(isMine?.()).toBe(false)
  expect(lock?.aborted).toBe(true)
  await until(() => holder.epochs() === 2)
})
