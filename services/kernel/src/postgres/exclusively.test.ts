import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { tcpProxy } from '../testing/tcp-proxy.ts'
import { until } from '../testing/until.ts'
import { exclusively } from './exclusively.ts'
import { testPostgres } from './testing.ts'

const silenceMilliseconds = 1000

/** Somebody who wants the lock until the test ends, or until told to stop. */
const contender = (url: string, name = 'throne') => {
  const stopping = new AbortController()
  const troubles: unknown[] = []
  const current: { isMine?: () => boolean; lock?: AbortSignal } = {}
  let reigns = 0
  const running = exclusively(
    url,
    name,
    stopping.signal,
    async (lock, isMine) => {
      reigns++
      Object.assign(current, { isMine, lock })
      if (!lock.aborted) await once(lock, 'abort')
    },
    { onTrouble: (error) => troubles.push(error), silenceMilliseconds },
  )
  const stop = async () => {
    stopping.abort()
    await running
  }
  onTestFinished(stop)
  return { reigns: () => reigns, troubles, current, stop }
}

it('all locks of a process hang on one connection, and each comes and goes for itself', async () => {
  const { url, pool, drop } = await testPostgres()
  onTestFinished(drop)
  const connections = async () => {
    const { rows } = await pool.query(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'prosa-lock'",
    )
    return rows.map(({ pid }) => pid)
  }
  const crown = contender(url, 'crown')
  const sceptre = contender(url, 'sceptre')
  await until(() => crown.reigns() === 1 && sceptre.reigns() === 1)
  const heir = contender(url, 'crown')
  const before = await connections()
  expect(before).toHaveLength(1)
  expect(heir.reigns()).toBe(0)
  await crown.stop()
  await until(() => heir.reigns() === 1)
  expect(await connections()).toEqual(before)
  expect(sceptre.reigns()).toBe(1)
  expect(sceptre.current.isMine?.()).toBe(true)

  await pool.query('select pg_terminate_backend($1)', before)
  await until(() => heir.reigns() === 2 && sceptre.reigns() === 2)
  const after = await connections()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  expect([heir.troubles.length, sceptre.troubles.length]).toEqual([1, 1])

  await Promise.all([heir.stop(), sceptre.stop()])
  await until(async () => (await connections()).length === 0)
})

it('somebody waits in line for another process over one connection, however often it tries', async () => {
  const { url, pool, drop } = await testPostgres()
  onTestFinished(drop)
  const crown = contender(url, 'crown')
  await until(() => crown.reigns() === 1)
  const { rows } = await pool.query(`select classid, objid from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory'`)
  const lock = (BigInt(rows[0].classid) << 32n) | BigInt(rows[0].objid)
  await crown.stop()
  const elsewhere = await pool.connect()
  await elsewhere.query('select pg_advisory_lock($1)', [lock])

  const heir = contender(url, 'crown')
  const connection = async () => {
    const { rows } =
      await pool.query(`select pid, query_start as at, query ~ 'try_advisory' as tries from pg_stat_activity
      where datname = current_database() and application_name = 'prosa-lock'`)
    return rows[0]
  }
  const triedAfter = (at: Date | undefined) =>
    until(async () => {
      const now = await connection()
      return now?.tries && (!at || now.at > at) && now
    })
  const first = await triedAfter(undefined)
  await triedAfter(first.at)
  expect(heir.reigns()).toBe(0)
  await elsewhere.query('select pg_advisory_unlock($1)', [lock])
  elsewhere.release()
  await until(() => heir.reigns() === 1)
  expect((await connection()).pid).toBe(first.pid)
})

it('a holder that is cut off half open loses the lock, hears of it, and somebody else gets it', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const proxy = await tcpProxy(Number(new URL(url).port))
  onTestFinished(proxy.close)
  const holder = contender(Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href)
  await until(() => holder.reigns() === 1)
  const { lock, isMine } = holder.current
  const next = contender(url)
  proxy.freeze()
  await until(() => next.reigns() === 1)
  await until(() => lock?.aborted)
  expect(isMine?.()).toBe(false)
  await until(() => holder.troubles.length > 0)
})

it('a process that stood still knows by its own clock that the lock is lost, before it hears of anything', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const holder = contender(url)
  await until(() => holder.reigns() === 1)
  const { lock, isMine } = holder.current
  // Nothing else has a turn in this process meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, silenceMilliseconds)
  expect(lock?.aborted).toBe(false)
  expect(isMine?.()).toBe(false)
  expect(lock?.aborted).toBe(true)
  await until(() => holder.reigns() === 2)
})
