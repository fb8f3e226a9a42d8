import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../clock.ts'
import { beginning, type Position } from '../../../event-store/port.ts'
import { silentLog } from '../../../observability/log.ts'
import { openPool, transaction } from '../../../postgres/pool.ts'
import type { TestPostgres } from '../../../postgres/testing.ts'
import { everythingIn } from '../../../testing/everything-in.ts'
import { kernelDatabase } from '../../../testing/kernel-database.ts'
import { appendRaw, nameContact } from '../../../testing/running-reactor.ts'
import { until } from '../../../testing/until.ts'
import { loadCheckpoint, rebuildOf } from '../../engine/checkpoints.ts'
import { type ConsumerStatuses, reportStatuses } from '../../engine/consumer-status.ts'
import { listParked } from '../../engine/parked-queries.ts'
import { storedRows } from '../../testing/fold-of-log.ts'
import { pausedStore } from '../../testing/paused-store.ts'
import { contact, named, old, renewed } from '../../testing/shown-names.ts'
import { idOf, type TestLog, testLog } from '../../testing/test-log.ts'
import { healthOf } from '../keep-read-models.ts'
import { prepareReadModel } from '../prepare-read-model.ts'
import type { Projection } from '../projection.ts'
import { readModelGate } from '../read-model-gate.ts'
import { type ProjectionDeps, runProjection } from '../run-projection.ts'
import { builderContext, readModelRebuildHandler } from './read-model-rebuild.ts'
import { followRebuildRequests } from './rebuild-on-request.ts'
import { findRebuildRequest, requestRebuild } from './rebuild-queries.ts'
import { ColumnRedefined } from './serve-old-rows.ts'

describe('a rebuild', () => {
  let postgres: TestPostgres
  let log: TestLog
  let stopping: AbortController
  let statuses: ConsumerStatuses
  let running: Promise<void>[]
  beforeEach(async () => {
    postgres = await kernelDatabase()
    log = testLog()
    stopping = new AbortController()
    statuses = new Map()
    running = []
  })
  afterEach(async () => {
    stopping.abort()
    await Promise.all(running)
    await postgres.drop()
  })

  const run = <Row extends object>(projection: Projection<Row>, given: Partial<ProjectionDeps> = {}) => {
    const { pool, url: databaseUrl } = postgres
    const deps = { ...log, pool, databaseUrl, log: silentLog(), clock: systemClock, ...given }
    const done = runProjection(projection, deps, stopping.signal, statuses)
    running.push(done)
  }
  const stop = async () => {
    stopping.abort()
    await Promise.all(running)
    stopping = new AbortController()
  }
  const position = ({ name, version }: { name: string; version: number }) =>
    loadCheckpoint(postgres.pool, name, version)
  const reached = (projection: { name: string; version: number }, end: Position) =>
    until(async () => (await position(projection)) >= end)
  const shown = () => storedRows(postgres.pool, renewed.table)

  const shownByOld = async (...names: string[]): Promise<Position> => {
    let end = beginning
    for (const name of names) end = await log.append('tenant', contact, named(name))
    run(old)
    await reached(old, end)
    await stop()
    return end
  }
  const rebuildBegan = () => until(async () => statuses.get('shown-names')?.progress)

  it('leaves the old rows to readers, with columns they did not have, until the new ones take their place', async () => {
    await shownByOld('ana')
    const { store, release } = pausedStore(log.store)
    await prepareReadModel(postgres.pool, renewed)
    run(renewed, { store })
    await rebuildBegan()
    const end = await log.append('tenant', contact, named('bea'))
    expect(await shown()).toEqual([{ id: contact, name: 'ana', letters: null, initial: '?' }])
    release()
    await reached(renewed, end)
    expect(await shown()).toEqual([{ id: contact, name: 'BEA', letters: 3, initial: 'b' }])
  })

  it('has the indexes of its table, under their names, and leaves nothing behind', async () => {
    const end = await shownByOld('ana')
    run(renewed)
    await reached(renewed, end)
    const { rows: indexes } = await postgres.pool.query(
      "select schemaname, indexname from pg_indexes where tablename = 'shown_names' order by indexname",
    )
    expect(indexes).toEqual([
      { schemaname: 'public', indexname: 'shown_names_name' },
      { schemaname: 'public', indexname: 'shown_names_pkey' },
    ])
    const { rows: left } = await postgres.pool.query("select tablename from pg_tables where schemaname = 'rebuild'")
    expect(left).toEqual([])
    expect((await postgres.pool.query('select name, version from checkpoint')).rows).toEqual([
      { name: 'shown-names', version: 2 },
    ])
  })

  it('keeps nobody waiting for their own writes, before whom the rows stand still', async () => {
    const end = await shownByOld('ana')
    const gate = readModelGate(postgres.pool, postgres.url, stopping.signal, () => undefined)
    expect(await gate.reached(['shown-names'], end, 10_000)).toBe(true)
    const { store, release } = pausedStore(log.store)
    run(renewed, { store })
    await rebuildBegan()
    const later = await log.append('tenant', contact, named('bea'))
    const maxWait = 1_000_000
    expect(await gate.reached(['shown-names'], later, maxWait)).toBe(false)
    expect(await gate.reached(['shown-names'], end, maxWait)).toBe(true)
    release()
    await reached(renewed, later)
    const last = await log.append('tenant', contact, named('eva'))
    await until(() => gate.reached(['shown-names'], last, 10_000))
    expect(await shown()).toEqual([{ id: contact, name: 'EVA', letters: 3, initial: 'e' }])
  })

  it('reports how far it is, as no trouble', async () => {
    await shownByOld('ana', 'bea', 'eva')
    const { store, release } = pausedStore(log.store)
    run(renewed, { store })
    await rebuildBegan()
    expect(healthOf(statuses)).toEqual({ 'rebuilding shown-names': { done: 0, total: 3 } })
    expect(reportStatuses(statuses, systemClock)).toMatchObject([{ name: 'shown-names', state: 'rebuilding', lag: 0 }])
    release()
    await until(async () => statuses.get('shown-names')?.state === 'following')
    expect(healthOf(statuses)).toEqual({})
    expect(reportStatuses(statuses, systemClock)).toMatchObject([{ state: 'following', lag: 0, lagSeconds: 0 }])
  })

  it('that cannot make its table reports it, tries again, and leaves the old rows', async () => {
    await shownByOld('ana')
    run({ ...renewed, table: { ...renewed.table, after: ['create index on shown_names (no_such_column)'] } })
    await until(async () => healthOf(statuses)['projection shown-names'])
    expect(healthOf(statuses)['projection shown-names']).toMatchObject({ state: 'interrupted', reason: 'error' })
    expect(await storedRows(postgres.pool, old.table)).toEqual([{ id: contact, name: 'ana' }])
  })

  it('goes on from its last complete step when it was cut off', async () => {
    const end = await shownByOld('ana', 'bea')
    run(renewed)
    await reached(renewed, end)
    await stop()
    await transaction(postgres.pool, async (db) => {
      await db.query('create schema if not exists rebuild')
      await db.query('alter table shown_names drop constraint shown_names_pkey, add primary key (id)')
      await db.query('drop index shown_names_name')
      await db.query('create table rebuild.shown_names (like shown_names including all)')
      await db.query('insert into rebuild.shown_names select * from shown_names')
      await db.query(`insert into checkpoint values ($1, 2, $2)`, [rebuildOf('shown-names'), end])
      await db.query(`update checkpoint set version = 1 where name = 'shown-names'`)
    })
    const last = await log.append('tenant', contact, named('eva'))
    const { store, readings, release } = pausedStore(log.store)
    release()
    run(renewed, { store })
    await reached(renewed, last)
    expect(readings[0]).toBe(end)
    expect(await shown()).toEqual([{ id: contact, name: 'EVA', letters: 3, initial: 'e' }])
    const { rows } = await postgres.pool.query("select indexname from pg_indexes where tablename = 'shown_names'")
    expect(rows.map(({ indexname }) => indexname).sort()).toEqual(['shown_names_name', 'shown_names_pkey'])
  })

  it('is done by one process only, when several want to', async () => {
    const end = await shownByOld('ana')
    // Only equal silences share a lock connection.
    const processes = [15_000, 15_001, 15_002].map((silenceMs) => ({
      ...pausedStore(log.store),
      statuses: new Map(),
      silenceMs,
    }))
    for (const { store, statuses, silenceMs } of processes) {
      const deps = {
        ...log,
        store,
        pool: postgres.pool,
        databaseUrl: postgres.url,
        log: silentLog(),
        clock: systemClock,
        silenceMs,
      }
      running.push(runProjection(renewed, deps, stopping.signal, statuses))
    }
    await until(async () => processes.some(({ readings }) => readings.length > 0))
    const refused = async (): Promise<{ pid: number; at: Date }[]> => {
      const { rows } = await postgres.pool.query(`select pid, query_start as at from pg_stat_activity
        where datname = current_database() and application_name like 'prosa-lock %' and query ~ 'pg_locks'
          and pid not in (select pid from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock')`)
      return rows
    }
    const first = await until(async () => {
      const asking = await refused()
      return asking.length === 2 && asking
    })
    await until(async () => {
      const asking = await refused()
      return first.every(({ pid, at }) => asking.some((again) => again.pid === pid && again.at > at))
    })
    expect(processes.filter(({ readings }) => readings.length > 0)).toHaveLength(1)
    for (const { release } of processes) release()
    await reached(renewed, end)
    expect(
      processes
        .map(({ statuses }) => statuses.get('shown-names').state)
        .sort()
        .slice(1),
    ).toEqual(['waiting', 'waiting'])
  })

  it('waits for a slow reader without making others wait, and is forgotten when its version is not wanted any more', async () => {
    const end = await shownByOld('ana')
    await prepareReadModel(postgres.pool, renewed)
    const slow = await postgres.pool.connect()
    await slow.query('begin')
    await slow.query('select * from shown_names')
    run(renewed)
    await until(async () => (await position({ name: rebuildOf('shown-names'), version: 2 })) === end)
    for (let read = 0; read < 20; read++) {
      await postgres.pool.query('select name from shown_names')
      await delay(20)
    }
    expect(await position(old)).toBe(end)
    await stop()
    await slow.query('commit')
    slow.release()

    run(old)
    await until(async () => statuses.get('shown-names')?.state === 'following')
    expect((await postgres.pool.query('select name, version from checkpoint')).rows).toEqual([
      { name: 'shown-names', version: 1 },
    ])
  })

  it('fills a table that was never filled in the same way, where the log is long', async () => {
    const end = await log.append('tenant', contact, named('ana'))
    await postgres.pool.query("insert into checkpoint values ('another', 1, '0000000000000900000')")
    await prepareReadModel(postgres.pool, renewed)
    const { store, readings, release } = pausedStore(log.store)
    release()
    run(renewed, { store })
    await reached(renewed, end)
    expect(readings[0]).toBe(beginning)
    expect(await shown()).toEqual([{ id: contact, name: 'ANA', letters: 3, initial: 'a' }])
  })

  it('is refused where a column would mean something else to readers of the old rows', async () => {
    await shownByOld('ana')
    const redefined = { ...old, version: 2, table: { ...old.table, columns: { ...old.table.columns, name: 'jsonb' } } }
    await expect(prepareReadModel(postgres.pool, redefined)).rejects.toThrow(ColumnRedefined)
    expect(await storedRows(postgres.pool, old.table)).toEqual([{ id: contact, name: 'ana' }])
  })

  describe('that an administrator asked for', () => {
    const other = `contact-${idOf('another contact')}`
    const rebuildId = idOf('a rebuild')
    const readModel = old.name
    const asked = { rebuildId, eventId: idOf('the request'), correlationId: 'the request' }

    const runOnRequest = (given: Partial<ProjectionDeps> = {}) => {
      const silent = { pool: postgres.pool, log: silentLog() }
      const { requests, done } = followRebuildRequests([readModel], silent, stopping.signal)
      running.push(done)
      run(old, { requests, ...given })
    }
    const request = async () => {
      const context = builderContext(readModel, asked)
      const works = readModelRebuildHandler({ ...log, clock: systemClock })
      await works(readModel, { type: 'RequestRebuild', data: { rebuildId, readModel } }, context)
      await requestRebuild(postgres.pool, readModel, asked, systemClock.now())
    }
    const isRecorded = () =>
      until(async () => (await findRebuildRequest(postgres.pool, readModel))?.request === 'recorded')
    const names = async () => (await storedRows(postgres.pool, old.table)).map(({ name }) => name).sort()
    const spoil = () => postgres.pool.query(`update shown_names set name = 'spoilt' where id = $1`, [contact])

    it('is made beside rows that go on being kept up, and readers find their own writes all the time', async () => {
      const end = await log.append('tenant', contact, named('ana'))
      const { store, release } = pausedStore(log.store)
      runOnRequest({ store })
      await reached(old, end)
      await spoil()
      await request()
      await rebuildBegan()
      const gate = readModelGate(postgres.pool, postgres.url, stopping.signal, () => undefined)
      const written = await log.append('tenant', other, named('bea'))
      expect(await gate.reached([readModel], written, 60_000)).toBe(true)
      expect(await names()).toEqual(['bea', 'spoilt'])
      expect(healthOf(statuses)).toMatchObject({ 'rebuilding shown-names': { done: 0 } })
      release()
      await isRecorded()
      expect(await names()).toEqual(['ana', 'bea'])

      const last = await log.append('tenant', other, named('eva'))
      expect(await gate.reached([readModel], last, 60_000)).toBe(true)
      expect(await names()).toEqual(['ana', 'eva'])
      expect(healthOf(statuses)).toEqual({})
      const { rows: left } = await postgres.pool.query("select tablename from pg_tables where schemaname = 'rebuild'")
      expect(left).toEqual([])
      expect((await postgres.pool.query('select name, version from checkpoint')).rows).toEqual([
        { name: readModel, version: 1 },
      ])
      const events = await everythingIn(log.store, 'readModelRebuild')
      expect(events.map(({ type }) => type)).toEqual(['ReadModelRebuildRequested', 'ReadModelRebuilt'])
    })

    it('goes on in the next process when the one that built it is gone, and is not begun again after that', async () => {
      const end = await log.append('tenant', contact, named('ana'))
      const paused = pausedStore(log.store)
      runOnRequest({ store: paused.store })
      await reached(old, end)
      await spoil()
      await request()
      await rebuildBegan()
      paused.release()
      await stop()
      const later = await log.append('tenant', other, named('bea'))
      const next = pausedStore(log.store)
      next.release()
      runOnRequest({ store: next.store })
      await isRecorded()
      await reached(old, later)
      expect(await names()).toEqual(['ana', 'bea'])
      const { length } = next.readings
      await requestRebuild(postgres.pool, readModel, asked, systemClock.now())
      await stop()
      runOnRequest({ store: next.store })
      await reached(old, await log.append('tenant', other, named('eva')))
      expect(next.readings).toHaveLength(length)
    })

    it('is built by the process alone that keeps the rows, also where another one was asked as well', async () => {
      const end = await log.append('tenant', contact, named('ana'))
      const pools = [openPool(postgres.url), openPool(postgres.url)]
      const processes = pools.map((pool, index) => ({
        ...pausedStore(log.store),
        pool,
        silenceMs: 15_000 + index,
      }))
      for (const { release } of processes) release()
      for (const { store, pool, silenceMs } of processes) {
        const { requests, done } = followRebuildRequests([readModel], { pool, log: silentLog() }, stopping.signal)
        running.push(done)
        run(old, { store, pool, silenceMs, requests })
      }
      await reached(old, end)
      await spoil()
      await request()
      await isRecorded()
      expect(await names()).toEqual(['ana'])
      expect(processes.filter(({ readings }) => readings.length > 0)).toHaveLength(1)
      await stop()
      for (const pool of pools) await pool.end()
    })

    it('has a tenant of its own parked whose event cannot be folded, and what waits for it stays in line', async () => {
      postgres.expectParkedTenants()
      await log.append('tenant', contact, named('ana'))
      await appendRaw(log.store, 'contact-ivo', { type: 'ContactPainted', data: {} })
      runOnRequest()
      const parked = async () =>
        (await listParked(postgres.pool, 10)).map(({ id, worker, tenant, waiting }) => ({
          id,
          worker,
          tenant,
          waiting,
        }))
      const [before] = await until(async () => (await parked()).length === 1 && (await parked()))
      await request()
      await isRecorded()
      const [after] = await parked()
      expect(after).toMatchObject({ worker: 'projection shown-names', tenant: before?.tenant, waiting: 1 })
      expect(after?.id).not.toBe(before?.id)
      await nameContact(log.store, 'ivo', 'Ivo')
      await until(async () => (await parked())[0]?.waiting === 2)
      expect(await parked()).toEqual([{ ...after, waiting: 2 }])
    })
  })
})
