import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailable } from '../async/reachability.ts'
import type { Json } from '../json.ts'
import { kernelDatabase } from '../testing/kernel-database.ts'
import { until } from '../testing/until.ts'
import { eventStoreContract } from './event-store.contract.ts'
import { type Batch, beginning, type NewEvent, type Position, type RecordedEvent } from './port.ts'
import { postgresEventStore } from './postgres.ts'

eventStoreContract('postgres', async () => {
  const { url, drop } = await kernelDatabase()
  const store = await postgresEventStore({ url })
  const close = async () => {
    await store.close()
    await drop()
  }
  return { store, another: () => postgresEventStore({ url }), close }
})

describe('the PostgreSQL event store', () => {
  const openStore = async () => {
    const { url, pool, drop } = await kernelDatabase()
    const store = await postgresEventStore({ url })
    onTestFinished(async () => {
      await store.close()
      await drop()
    })
    return { url, pool, store }
  }

  const follow = (store: Awaited<ReturnType<typeof openStore>>['store'], category: string) => {
    const stop = new AbortController()
    const batches: Batch[] = []
    const ended = (async () => {
      for await (const batch of store.subscribe(beginning, { categories: [category] }, stop.signal)) batches.push(batch)
    })()
    onTestFinished(async () => {
      stop.abort()
      await ended
    })
    return { events: () => batches.flatMap(({ events }) => events), live: () => batches.at(-1)?.live === true }
  }

  it('makes its tables once, however many processes start together', async () => {
    const { url, drop } = await kernelDatabase()
    const stores = await Promise.all(Array.from({ length: 6 }, () => postgresEventStore({ url })))
    onTestFinished(async () => {
      await Promise.all(stores.map((store) => store.close()))
      await drop()
    })
    const results = await Promise.all(stores.map((store) => store.append('race-1', 'no_stream', [event()])))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
  })

  it('counts positions without a hole, whatever was refused in between', async () => {
    const { url, pool, store } = await openStore()
    const another = await postgresEventStore({ url })
    const appends = Array.from({ length: 400 }, (_, index) =>
      (index % 2 ? another : store).append(`hot-${index % 40}`, index < 40 ? 'no_stream' : 0n, [event(), event()]),
    )
    const results = await Promise.all(appends)
    await another.close()
    const stored = results.filter(({ ok }) => ok).length * 2
    expect(results.some(({ ok }) => !ok)).toBe(true)
    const { rows } = await pool.query('select count(*)::int, min(position)::int, max(position)::int from es.event')
    expect(rows).toEqual([{ count: stored, min: 1, max: stored }])
  })

  it('answers each request of one shared commit as it would have answered it alone', async () => {
    const { store } = await openStore()
    const repeated = [event(), event(), event()]
    const first = await store.append('old-1', 'no_stream', repeated)
    await store.append('old-2', 'no_stream', [event(), event()])
    const answers = await Promise.all([
      store.append('new-1', 'no_stream', [event(), event()]),
      store.append('old-1', 'no_stream', repeated),
      store.append('old-2', 0n, [event(), event(), event()]),
      store.append('new-2', 'no_stream', [event()]),
      store.append('new-3', 4n, [event()]),
      store.append('old-3', 'no_stream', [event(), event(), event()]),
    ])
    const position = (numericPosition: number) => String(numericPosition).padStart(19, '0')
    expect(first).toMatchObject({ position: position(3) })
    expect(answers).toEqual([
      { ok: true, revision: 1n, position: position(7), repeated: false },
      { ok: true, revision: 2n, position: position(3), repeated: true },
      { ok: false, actual: 1n },
      { ok: true, revision: 0n, position: position(8), repeated: false },
      { ok: false, actual: 'no_stream' },
      { ok: true, revision: 2n, position: position(11), repeated: false },
    ])
    const stored: string[] = []
    for await (const { events } of store.readAll(beginning, { categories: ['new', 'old'] }))
      stored.push(...events.map(({ stream, revision }) => `${stream} ${revision}`))
    const all = ['old-1 0', 'old-1 1', 'old-1 2', 'old-2 0', 'old-2 1', 'new-1 0', 'new-1 1', 'new-2 0']
    expect(stored).toEqual([...all, 'old-3 0', 'old-3 1', 'old-3 2'])
  })

  it('shows a subscriber what its own process appends without reading it, in order with what others append', async () => {
    const { url, store } = await openStore()
    const another = await postgresEventStore({ url })
    onTestFinished(() => another.close())
    const following = follow(store, 'mine')
    await until(following.live)
    const data = { text: 'a\u0000\té "\\" 😀', deep: [1.5, { b: null, a: 1e21 }] }
    for (let n = 0; n < 20; n++) {
      const by = n % 3 === 2 ? another : store
      await by.append(`mine-${n % 5}`, n < 5 ? 'no_stream' : BigInt(Math.floor(n / 5) - 1), [event(data)])
    }
    await until(() => following.events().length === 20)
    const read: RecordedEvent[] = []
    for await (const { events } of another.readAll(beginning, { categories: ['mine'] })) read.push(...events)
    const shown = (events: readonly RecordedEvent[]) =>
      events.map(({ id, type, stream, revision, position, data, metadata }) => ({
        ...{ id, type, stream, revision, position, data, metadata },
      }))
    expect(shown(following.events())).toEqual(shown(read))
  })

  it('knows a stream as unchanged only as far back as it has followed the log, and not once anybody wrote to it', async () => {
    const { url, store } = await openStore()
    const another = await postgresEventStore({ url })
    onTestFinished(() => another.close())
    const first = await store.append('quiet-1', 'no_stream', [event()])
    if (!first.ok) throw new Error('not stored')
    const isUnchanged = () => store.isUnchanged?.('quiet-1', first.position)
    expect(isUnchanged()).toBe(false)
    const following = follow(store, 'loud')
    await until(following.live)
    await store.append('loud-1', 'no_stream', [event()])
    await until(() => following.events().length === 1)
    expect(isUnchanged()).toBe(true)
    expect(store.isUnchanged?.('quiet-1', beginning)).toBe(false)
    await another.append('quiet-1', 0n, [event()])
    await another.append('loud-1', 0n, [event()])
    await until(() => following.events().length === 2)
    expect(isUnchanged()).toBe(false)
  })

  it('fails alone with what only the database can refuse', async () => {
    const { store } = await openStore()
    let bottomless: Json = []
    for (let depth = 0; depth < 7000; depth++) bottomless = [bottomless]
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => store.append(`good-${randomUUID()}`, 'no_stream', [event()])),
      store.append('bad-1', 'no_stream', [event({ bottomless })]),
      ...Array.from({ length: 20 }, () => store.append(`good-${randomUUID()}`, 'no_stream', [event()])),
    ])
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([20])
  })

  it('finds an event within the second or so when every wake-up was lost, also behind a hole made by hand', async () => {
    const { pool, store } = await openStore()
    const follower = follow(store, 'silent')
    await until(follower.live)
    const { id, type, data, metadata } = event()
    await pool.query('insert into es.event values (7, $1, 0, $2, $3, $4, $5)', ['silent-1', id, type, data, metadata])
    await vi.waitUntil(() => follower.events().length === 1, { timeout: 3000, interval: 10 })
    expect(follower.events()[0]).toMatchObject({ id, stream: 'silent-1' })
  })

  it('gives out of the whole log what is stored, whatever characters it is made of', async () => {
    const { pool, store } = await openStore()
    const categories = ["it's", 'back\\slash']
    const strange = { ação: 'Olá, João! 👩🏽‍💻 "quoted" \\ \\n / \t\r\n\u0000\u001e', '\\N': '\\.' }
    const given = [
      { ...event(), type: 'Type\\n"ç"', data: strange, stream: "it's-\\t\\\\ 1" },
      { ...event(), data: { plain: true }, stream: 'back\\slash-1' },
    ]
    for (const { stream, ...appended } of given) await store.append(stream, 'no_stream', [appended])
    const byHand = { ...event(), data: { laid: ['out', '\\'] }, stream: "it's-2" }
    await pool.query('insert into es.event values (3, $1, 0, $2, $3, $4, $5)', [
      byHand.stream,
      byHand.id,
      byHand.type,
      '{\n\t"laid":\r\n["out", "\\\\"]}',
      byHand.metadata,
    ])
    const read = []
    for await (const { events } of store.readAll(beginning, { categories })) read.push(...events)
    expect(read).toMatchObject([...given, byHand])
  })

  it('hands out a long log in small batches, each with a place from which the rest follows, however large its events are', async () => {
    const { pool, store } = await openStore()
    await pool.query(
      `insert into es.event
       select n, case when n % 3 = 0 then 'rare-' else 'long-' end || n, 0, gen_random_uuid(), 'Counted',
         json_build_object('n', n, 'text', repeat('x', case when n < 4000 then 3000 else 10 end)), $1
       from generate_series(1, 9000) n`,
      [event().metadata],
    )
    const positionsAfter = async (after: Position, categories: string[]) => {
      const batches: Batch[] = []
      for await (const batch of store.readAll(after, { categories })) batches.push(batch)
      return { batches, positions: batches.flatMap(({ events }) => events.map(({ position }) => Number(position))) }
    }
    const all = Array.from({ length: 9000 }, (_, index) => index + 1)
    for (const [categories, expected] of [
      [['long', 'rare'], all],
      [['rare'], all.filter((numericPosition) => numericPosition % 3 === 0)],
    ] as const) {
      const { batches, positions } = await positionsAfter(beginning, [...categories])
      expect(positions).toEqual(expected)
      expect(Math.max(...batches.map(({ events }) => events.length))).toBeLessThanOrEqual(500)
      expect(Number(batches.at(-1)?.upTo)).toBe(9000)
      for (const [index, { upTo }] of batches.entries()) {
        if (index % 4 !== 1) continue
        const following = batches
          .slice(index + 1)
          .flatMap(({ events }) => events.map(({ position }) => Number(position)))
        expect((await positionsAfter(upTo, [...categories])).positions).toEqual(following)
      }
    }
  })

  it('listens again after its listening connection was cut', async () => {
    const { url, pool, store } = await openStore()
    const another = await postgresEventStore({ url })
    onTestFinished(() => another.close())
    const follower = follow(store, 'received')
    await until(follower.live)
    const listeners = `from pg_stat_activity where datname = current_database() and query like 'listen %es_event%'`
    const listening = async () => (await pool.query(`select pid ${listeners}`)).rows.map(({ pid }) => pid)
    await until(async () => (await listening()).length === 1)
    const [first] = await listening()
    await pool.query('select pg_terminate_backend($1)', [first])
    await vi.waitUntil(async () => (await listening()).some((pid) => pid !== first), { timeout: 10_000 })

    const delays: number[] = []
    for (let count = 1; count <= 9; count++) {
      const began = performance.now()
      await another.append(`received-${count}`, 'no_stream', [event()])
      await until(() => follower.events().length === count)
      delays.push(performance.now() - began)
    }
    // The poll alone takes up to a second.
    expect(delays.toSorted((a, b) => a - b)[0]).toBeLessThan(500)
  })

  it('loses and doubles nothing when all its connections are cut again and again under load', async () => {
    const { pool, store } = await openStore()
    const follower = follow(store, 'load')
    const end = Date.now() + 3000
    const acknowledged: string[] = []
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let revision = -1n; Date.now() < end; revision++) {
        const appended = event()
        const result = await store.append(`load-${writer}`, revision < 0n ? 'no_stream' : revision, [appended])
        expect(result).toMatchObject({ ok: true, revision: revision + 1n })
        acknowledged.push(appended.id)
      }
    })
    const cutter = async () => {
      for (; Date.now() < end; await delay(50 + Math.random() * 200))
        await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name in ('prosa-event-store', 'prosa-listen')`)
    }
    await Promise.all([...writers, cutter()])
    await vi.waitUntil(() => follower.events().length >= acknowledged.length, { timeout: 10_000 })
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(
      follower
        .events()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(acknowledged.toSorted())
    expect((await pool.query('select count(*)::int from es.event')).rows).toEqual([{ count: acknowledged.length }])
  })

  it('reports that the store is unavailable once its time for retries is over, and serves again when the server is back', async () => {
    const { url, pool, drop } = await kernelDatabase()
    const store = await postgresEventStore({ url, maxOutageMs: 300 })
    onTestFinished(async () => {
      await store.close()
      await drop()
    })
    const database = new URL(url).pathname.slice(1)
    const elsewhere = new URL(url)
    elsewhere.pathname = '/postgres'
    const admin = new pg.Client({ connectionString: elsewhere.href })
    await admin.connect()
    onTestFinished(() => admin.end())
    const follower = follow(store, 'later')
    await until(follower.live)
    const appended = event()
    await pool.end()
    await admin.query(`alter database "${database}" allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
    await expect(store.append('later-1', 'no_stream', [appended])).rejects.toThrow(StoreUnavailable)
    await admin.query(`alter database "${database}" allow_connections true`)
    expect(await store.append('later-1', 'no_stream', [appended])).toMatchObject({ ok: true, revision: 0n })
    await vi.waitUntil(() => follower.events().length === 1, { timeout: 10_000 })
  })
})

const event = (data: { [key: string]: Json } = {}): NewEvent => ({
  id: randomUUID(),
  type: 'SomethingHappened',
  data,
  metadata: {
    causationId: 'a cause',
    correlationId: 'a request',
    actor: { kind: 'system', id: 'test' },
    tenant: null,
    schemaVersion: 1,
    recordedAt: '2026-11-21T12:00:00.000Z',
  },
})
