import { randomBytes, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AnyEvent, allEvents, type EventType } from '@prosa/contracts/events/all-events'
import { eventsOfCategory } from '@prosa/contracts/events/events-of-category'
import { userSubject } from '@prosa/contracts/events/subjects'
import { schemaVersions } from '@prosa/contracts/events/versions'
import { systemClock } from '@prosa/kernel/clock'
import { listParked } from '@prosa/kernel/consumers/engine/parked-queries'
import { keepReadModels } from '@prosa/kernel/consumers/projections/keep-read-models'
import { findRebuildRequest, requestRebuild } from '@prosa/kernel/consumers/projections/rebuild/rebuild-queries'
import { deriveId } from '@prosa/kernel/derive-id'
import { type Codec, eventCodec } from '@prosa/kernel/event-store/codec'
import { eventStoreDbEventStore } from '@prosa/kernel/event-store/eventstoredb'
import { startDoubleProcess } from '@prosa/kernel/event-store/eventstoredb/double/start-double-process'
import { beginning, type EventStore, type NewEvent } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { openPool } from '@prosa/kernel/postgres/pool'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { subjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { capturedLog } from '@prosa/kernel/testing/captured-log'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readModels } from '../projections.ts'

const folder = new URL('../../../contracts/src/events/golden/', import.meta.url)
const goldenOf = (type: string): AnyEvent => {
  const file = readFileSync(new URL(`${type}.v${schemaVersions[type] ?? 1}.json`, folder), 'utf8')
  return { type, data: allEvents[type as EventType].parse(JSON.parse(file).data) } as AnyEvent
}
/** One of every event type, except those that delete rows. */
const golden = Object.entries(eventsOfCategory).map(([category, events]) => ({
  category,
  events: Object.keys(events)
    .filter((type) => !/(Erased|Deleted|Removed|Absorbed)$/.test(type))
    .map(goldenOf),
}))

const [ana, bia] = ['ana', 'bia'].map(() => randomUUID()) as [string, string]
const admin = randomUUID()
const reason = 'Pediu por telefone'
const [secret, nextSecret] = [randomBytes(32), randomBytes(32)]

const metadataOf = (tenant: string, seconds: number) => ({
  causationId: randomUUID(),
  correlationId: randomUUID(),
  actor: { kind: 'admin', id: admin } as const,
  tenant,
  reason,
  recordedAt: new Date(Date.UTC(2026, 10, 21, 12) + seconds * 1000).toISOString(),
})

const goldenFor = (tenant: string): typeof golden =>
  JSON.parse(JSON.stringify(golden).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => deriveId(tenant, id)))

const appendEverywhere = async (
  { store, codec }: { store: EventStore; codec: Codec },
  tenant: string,
  spoil: (events: NewEvent[]) => void = () => undefined,
) => {
  for (const [index, { category, events }] of goldenFor(tenant).entries()) {
    const stream = `${category}-${deriveId(tenant, category)}`
    const identified = events.map((event, seconds) => {
      return { id: randomUUID(), stream, event, metadata: metadataOf(tenant, index * 1000 + seconds) }
    })
    const encoded = await codec.encode(identified)
    spoil(encoded)
    const result = await store.append(stream, 'no_stream', encoded)
    if (!result.ok) throw new Error(`${stream} was there already`)
  }
}

describe.each([
  {
    name: 'PostgreSQL',
    isWhole: true,
    open: async (url: string) => ({ store: await postgresEventStore({ url }), stop: async () => undefined }),
  },
  {
    name: 'EventStoreDB, on the double',
    /** It passes the contract of event stores too (`eventstoredb.test.ts`). */
    isWhole: shortOrLong(false, true),
    open: async () => {
      const { url, stop } = await startDoubleProcess()
      return { store: await eventStoreDbEventStore({ url }), stop }
    },
  },
])('events with reasons in $name', { timeout: 240_000 }, ({ open, isWhole }) => {
  let postgres: TestPostgres
  let store: EventStore
  let pools: [Pool, Pool]
  let lost: unknown[]
  let ending: AbortController
  let closing: (() => Promise<unknown>)[]
  beforeEach(async () => {
    postgres = await kernelDatabase()
    const opened = await open(postgres.url)
    store = opened.store
    lost = []
    pools = [openPool(postgres.url), openPool(postgres.url, { prefersIndexes: true })]
    for (const pool of pools) pool.on('release', (error) => error && lost.push(error))
    ending = new AbortController()
    setMaxListeners(0, ending.signal)
    closing = [() => store.close(), opened.stop, ...pools.map((pool) => () => pool.end()), () => postgres.drop()]
  })
  afterEach(async () => {
    ending.abort()
    for (const close of closing) await close()
  })

  const keysOf = (masters = masterKeys(secret)) =>
    subjectKeys({ pool: postgres.pool, databaseUrl: postgres.url, masters, signal: ending.signal })
  const codecOf = (keys = keysOf()) => eventCodec({ personal: personalEncryption(keys, secretBox(secret)) })

  const start = async (codec = codecOf()) => {
    const captured = capturedLog()
    const stopping = new AbortController()
    const { url: databaseUrl } = postgres
    const [pool, writePool] = pools
    const ports = { store, codec, pool, writePool, databaseUrl, log: captured.log, clock: systemClock }
    const { run, statuses } = await keepReadModels(readModels, ports)
    const running = run(stopping.signal)
    const stop = async () => {
      stopping.abort()
      await running
    }
    closing.unshift(stop)
    return {
      stop,
      lines: (message: string) => captured.lines().filter(({ msg }) => msg === message),
      troubles: () => captured.lines().filter(({ level }) => Number(level) >= 40),
      following: () =>
        until(() => {
          const found = readModels.map(({ name }) => statuses.get(name))
          return found.every((status) => status?.state === 'following' && status.caughtUpAt !== undefined)
        }, 120_000),
    }
  }
  /** Simulates an upgrade. */
  const outdate = () => postgres.pool.query('update checkpoint set version = version + 1000')
  const rowsOf = async (tenant?: string) => {
    const all: Record<string, string[]> = {}
    for (const { table } of readModels) {
      const own = tenant === undefined ? '' : `where t::text like '%${tenant}%'`
      const { rows } = await postgres.pool.query<{ row: string }>(`select t::text as row from ${table.name} t ${own}`)
      all[table.name] = rows.map(({ row }) => row).sort()
    }
    return all
  }

  it('are caught up with, rebuilt the quick way over connections that stay, and park nobody', async () => {
    await appendEverywhere({ store, codec: codecOf() }, ana)
    const first = await start()
    await first.following()
    await first.stop()
    await appendEverywhere({ store, codec: codecOf() }, bia)
    const second = await start()
    await second.following()
    await second.stop()
    const followed = await rowsOf()
    expect(Object.entries(followed).filter(([, rows]) => rows.length === 0)).toEqual([])

    await outdate()
    const third = await start()
    await third.following()
    expect(third.lines('rebuilt')).toHaveLength(readModels.length)
    expect(await rowsOf()).toEqual(followed)
    expect([first, second, third].flatMap(({ troubles }) => troubles())).toEqual([])
    expect(lost).toEqual([])
  })

  if (!isWhole) return

  it('are read by a rebuild that was asked for while more of them are written', async () => {
    await appendEverywhere({ store, codec: codecOf() }, ana)
    const running = await start()
    await running.following()
    const asked = ['account', 'users', 'history-places']
    for (const name of asked) {
      const request = { rebuildId: randomUUID(), eventId: randomUUID(), correlationId: randomUUID() }
      await requestRebuild(postgres.pool, name, request, systemClock.now())
    }
    let isOver = false
    const write = async () => {
      while (!isOver) await appendEverywhere({ store, codec: codecOf() }, randomUUID())
    }
    const writing = write()
    await until(async () => {
      const requests = await Promise.all(asked.map((name) => findRebuildRequest(postgres.pool, name)))
      return requests.every((found) => found?.request === 'recorded')
    }, 120_000)
    isOver = true
    await writing
    expect(running.lines('rebuilt')).toHaveLength(asked.length)
    expect(running.troubles()).toEqual([])
    expect(lost).toEqual([])
  })

  it('are read under a new master secret, and without the reasons of whom somebody erased', async () => {
    const keys = keysOf()
    for (const tenant of [ana, bia]) await appendEverywhere({ store, codec: codecOf(keys) }, tenant)
    const first = await start()
    await first.following()
    const before = await rowsOf(bia)
    await first.stop()
    expect(await keys.erase([userSubject(ana)])).toBe(1)
    await outdate()
    const second = await start(codecOf(keysOf(masterKeys(nextSecret, [secret]))))
    await second.following()
    expect(await rowsOf(bia)).toEqual(before)
    expect(second.troubles()).toEqual([])
  })

  it('park the tenant whose reason was changed, and name the event by type and position; others are shown all', async () => {
    postgres.expectParkedTenants()
    await appendEverywhere({ store, codec: codecOf() }, ana)
    const first = await start()
    await first.following()
    const before = await rowsOf(ana)
    await first.stop()
    const changed = 'AccessSet'
    await appendEverywhere({ store, codec: codecOf() }, bia, (events) => {
      const [of, other] = [events.find(({ type }) => type === changed), events[0]]
      if (of && other) of.metadata = { ...of.metadata, reason: other.metadata.reason }
    })
    const positions: string[] = []
    for await (const { events } of store.readAll(beginning, { categories: Object.keys(eventsOfCategory) }))
      positions.push(
        ...events
          .filter((event) => event.type === changed && event.metadata.tenant === bia)
          .map(({ position }) => position),
      )
    await outdate()
    const second = await start()
    await second.following()
    const parked = await listParked(postgres.pool, 100)
    expect(parked.map(({ tenant, errorName }) => ({ tenant, errorName }))).toEqual(
      parked.map(() => ({ tenant: bia, errorName: 'UndecodableEvent' })),
    )
    expect(parked.map(({ worker }) => worker)).toEqual(expect.arrayContaining(['projection history-places']))
    for (const { message, position } of parked) {
      expect(positions).toContain(position)
      expect(message).toContain(`position ${position}: ${changed}.(reason) was changed`)
    }
    expect(await rowsOf(ana)).toEqual(before)
  })
})
