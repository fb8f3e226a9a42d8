import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../clock.ts'
import type { Codec } from '../../event-store/codec.ts'
import { opened } from '../../event-store/eventstoredb/double/opened-double.ts'
import { beginning, type EventStore, type Position } from '../../event-store/port.ts'
import { silentLog } from '../../observability/log.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { until } from '../../testing/until.ts'
import { loadCheckpoint, saveCheckpoint } from '../engine/checkpoints.ts'
import type { ConsumerStatuses } from '../engine/consumer-status.ts'
import { Overtaken } from '../engine/epochs.ts'
import { inBatches } from '../testing/in-batches.ts'
import { idOf, type TestLog, testLog } from '../testing/test-log.ts'
import { healthOf } from './keep-read-models.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import type { Projection } from './projection.ts'
import { type ProjectionDeps, runProjection } from './run-projection.ts'
import { writeBatch } from './writing/write-batch.ts'

interface Names {
  id: string
  names: string
}

const names = (name: string, version = 1): Projection<Names> => ({
  name,
  version,
  categories: ['contact'],
  table: { name: name.replace('-', '_'), key: 'id', columns: { id: 'text collate "C"', names: 'text not null' } },
  on: {
    ContactNamed: {
      key: ({ stream }) => stream,
      row: (row, { stream, data }) => ({ id: stream, names: `${row?.names ?? ''}${data.name};` }),
    },
    ConversationResolved: { key: ({ stream }) => stream, row: () => undefined },
  },
})

const contact = `contact-${idOf('contact')}`
const named = (name: string): AnyEvent => ({ type: 'ContactNamed', data: { name } })

describe('a projection', () => {
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

  const append = (event: AnyEvent, stream = contact) => log.append('tenant', stream, event)
  const run = (projection: Projection<Names>, signal = stopping.signal, given: Partial<ProjectionDeps> = {}) => {
    const deps = {
      ...log,
      ...given,
      pool: postgres.pool,
      databaseUrl: postgres.url,
      log: silentLog(),
      clock: systemClock,
    }
    const done = runProjection(projection, deps, signal, statuses)
    running.push(done)
    return done
  }
  const rows = async (table = 'shown_names') => (await postgres.pool.query(`select * from ${table}`)).rows
  const reached = ({ name, version }: Projection<Names>, position: Position) =>
    until(async () => (await loadCheckpoint(postgres.pool, name, version)) === position)

  it('shows what the log holds, and what is appended later', async () => {
    const projection = names('shown-names')
    await append(named('a'))
    run(projection)
    await reached(projection, await append(named('b')))
    expect(await rows()).toEqual([{ id: contact, names: 'a;b;' }])
  })

  it('drops a row that an event ended', async () => {
    const projection = names('shown-names')
    run(projection)
    await reached(projection, await append(named('a')))
    await reached(projection, await append({ type: 'ConversationResolved', data: { attendantId: idOf('ana') } }))
    expect(await rows()).toEqual([])
  })

  it('drops all rows that an event purges, those of the same batch too, and keeps what comes after it', async () => {
    const table = {
      name: 'sent',
      key: 'id',
      columns: { id: 'text collate "C"', names: 'text collate "C" not null' },
    } as const
    const sent: Projection<Names> = {
      name: 'sent',
      version: 1,
      categories: ['chat'],
      table: { ...table, after: ['create index on sent (names)'] },
      on: {
        MessageSent: {
          key: ({ data }) => data.messageId,
          row: (_, { stream, data }) => ({ id: data.messageId, names: stream }),
        },
        ChatErased: { purge: { column: 'names', value: ({ stream }) => stream } },
      },
    }
    const send = (chat: string, messageId: string) =>
      append({ type: 'MessageSent', data: { messageId } }, `chat-${chat}`)
    const ids = async () => (await rows('sent')).map(({ id }) => id).sort()
    const first = new AbortController()
    const done = run(sent, first.signal)
    await send('a', 'A1')
    await reached(sent, await send('b', 'B1'))
    first.abort()
    await done
    await send('a', 'A2')
    await append({ type: 'ChatErased', data: {} }, 'chat-a')
    const end = await send('a', 'A3')
    run(sent)
    await reached(sent, end)
    expect(await ids()).toEqual(['A3', 'B1'])
    stopping.abort()
    await Promise.all(running)

    stopping = new AbortController()
    const renewed = { ...sent, version: 2 }
    run(renewed)
    await reached(renewed, end)
    expect(await ids()).toEqual(['A3', 'B1'])
  })

  it('changes many rows that an event is about, and several rows by one event, live as in a rebuild', async () => {
    interface Sent {
      id: string
      chat: string
      state: string
      count: number | null
    }
    const [text, key] = ['text collate "C" not null', ({ stream }: { stream: string }) => stream]
    const sent: Projection<Sent> = {
      name: 'sent',
      version: 1,
      categories: ['chat'],
      table: {
        name: 'sent',
        key: 'id',
        columns: { id: 'text collate "C"', chat: text, state: text, count: 'int' },
        after: ['create index on sent (chat)'],
      },
      on: {
        MessageSent: [
          {
            key: ({ data }) => data.messageId,
            row: (_, { stream, data }) => ({ id: data.messageId, chat: stream, state: 'sent', count: null }),
          },
          {
            key,
            beside: ({ data }) => data.messageId,
            row: (row, { stream }, message) => ({
              id: stream,
              chat: '',
              state: message?.state ?? 'none',
              count: (row?.count ?? 0) + 1,
            }),
          },
        ],
        ChatSeen: { update: { column: 'chat', value: key, set: ({ position }) => ({ state: `seen ${position}` }) } },
        ChatErased: [
          { key, row: (row) => row && { ...row, state: 'erased' } },
          { update: { column: 'chat', value: key, set: () => ({ state: 'erased\0', count: null }) } },
        ],
      },
    }
    const send = (chat: string, messageId: string) =>
      append({ type: 'MessageSent', data: { messageId } }, `chat-${chat}`)
    const seen: AnyEvent = { type: 'ChatSeen', data: { attendantId: idOf('ana') } }
    const runSent = (projection: Projection<Sent>) => run(projection as never)
    const reachedSent = (projection: Projection<Sent>, position: Position) => reached(projection as never, position)
    const states = async () =>
      Object.fromEntries((await rows('sent')).map(({ id, state, count }) => [id, `${state} ${count}`]))
    runSent(sent)
    await send('a', 'A1')
    await reachedSent(sent, await send('b', 'B1'))
    expect(await states()).toEqual({ A1: 'sent null', B1: 'sent null', 'chat-a': 'sent 1', 'chat-b': 'sent 1' })
    await send('a', 'A2')
    const at = await append(seen, 'chat-a')
    await send('a', 'A3')
    await append({ type: 'ChatErased', data: {} }, 'chat-b')
    const end = await send('b', 'B2')
    await reachedSent(sent, end)
    const expected = {
      ...{ A1: `seen ${at} null`, A2: `seen ${at} null`, A3: 'sent null', 'chat-a': 'sent 3' },
      ...{ B1: 'erased\uFFFD null', B2: 'sent null', 'chat-b': 'sent 2' },
    }
    expect(await states()).toEqual(expected)
    stopping.abort()
    await Promise.all(running)

    stopping = new AbortController()
    const renewed = { ...sent, version: 2 }
    runSent(renewed)
    await reachedSent(renewed, end)
    expect(await states()).toEqual(expected)
  })

  it('moves on when nothing in the log was its business', async () => {
    const projection = names('shown-names')
    run(projection)
    const position = await append(
      { type: 'TrialStarted', data: { endsAt: '2026-12-01T00:00:00.000Z' } },
      'subscription-1',
    )
    await reached(projection, position)
    expect(await rows()).toEqual([])
  })

  it('never writes down as passed what is still to be folded', async () => {
    const projection = names('shown-names')
    await append({ type: 'ConversationReopened', data: {} })
    const position = await append(named('a'))
    const steps: string[] = []
    const mayPass = new AbortController()
    const store: EventStore = {
      ...log.store,
      async *subscribe(after, filter, signal) {
        for await (const batch of inBatches(log.store, [1]).subscribe(after, filter, signal)) {
          if (batch.upTo === position) await until(async () => steps.includes('passing'))
          if (batch.upTo === position) steps.push('handed out')
          yield batch
        }
      },
    }
    const codec: Codec = {
      ...log.codec,
      async decode(page) {
        steps.push(page.length === 0 ? 'passing' : 'folding')
        if (page.length === 0) await once(mayPass.signal, 'abort')
        return log.codec.decode(page)
      },
    }
    run(projection, stopping.signal, { store, codec })
    await until(async () => steps.includes('handed out'))
    for (let round = 0; round < 20; round++) await setImmediate()
    // Without the wait the late write would move the checkpoint back.
    if (steps.includes('folding')) await reached(projection, position)
    mayPass.abort()
    await until(async () => steps.includes('folding'))
    stopping.abort()
    await Promise.all(running)
    expect(await loadCheckpoint(postgres.pool, projection.name, projection.version)).toBe(position)
    expect(steps).toEqual(['passing', 'handed out', 'folding'])
  })

  it('is not rebuilt for the length of the log where that is counted in bytes', async () => {
    const { store } = await opened()
    const bytes = testLog(store)
    await saveCheckpoint(postgres.pool, 'another', 1, await bytes.append('tenant', contact, named('x'.repeat(20_000))))
    const position = await bytes.append('tenant', contact, named('b'))
    expect(Number(position)).toBeGreaterThan(20_000)
    const projection = names('shown-names')
    await prepareReadModel(postgres.pool, projection)
    await postgres.pool.query('update checkpoint set version = $1 where name = $2', [1, projection.name])
    const log = silentLog()
    const info = vi.spyOn(log, 'info')
    running.push(
      runProjection(
        projection,
        { ...bytes, pool: postgres.pool, databaseUrl: postgres.url, log, clock: systemClock },
        stopping.signal,
        statuses,
      ),
    )
    await reached(projection, position)
    expect(info.mock.calls.filter(([, sentence]) => String(sentence).startsWith('rebuil'))).toEqual([])
    stopping.abort()
    await Promise.all(running)
  })

  it('goes on from where it stood', async () => {
    const projection = names('shown-names')
    const first = new AbortController()
    const done = run(projection, first.signal)
    await reached(projection, await append(named('a')))
    first.abort()
    await done
    const position = await append(named('b'))
    run(projection)
    await reached(projection, position)
    expect(await rows()).toEqual([{ id: contact, names: 'a;b;' }])
  })

  it('is built anew from the whole log by a new version', async () => {
    const old = names('shown-names')
    const first = new AbortController()
    const done = run(old, first.signal)
    const position = await append(named('a'))
    await reached(old, position)
    first.abort()
    await done
    const renewed: Projection<Names & { length: number }> = {
      ...names('shown-names', 2),
      table: {
        name: 'shown_names',
        key: 'id',
        columns: { id: 'text collate "C"', names: 'text not null', length: 'int not null' },
        added: { length: { was: '0' } },
      },
      on: {
        ContactNamed: {
          key: ({ stream }) => stream,
          row: (_, { stream, data }) => ({ id: stream, names: data.name, length: data.name.length }),
        },
      },
    }
    const deps = { ...log, pool: postgres.pool, databaseUrl: postgres.url, log: silentLog(), clock: systemClock }
    running.push(runProjection(renewed, deps, stopping.signal, statuses))
    await until(async () => (await loadCheckpoint(postgres.pool, 'shown-names', 2)) === position)
    expect(await rows()).toEqual([{ id: contact, names: 'a', length: 1 }])
  })

  it('stops where its table is not as it should be, blames no tenant for it, reports it, and disturbs no other', async () => {
    const [projection, other] = [names('shown-names'), names('other-names')]
    const before = await append(named('a'))
    run(projection)
    run(other)
    await reached(projection, before)
    await postgres.pool.query('alter table shown_names rename to lost_names')
    await reached(other, await append(named('b')))
    await until(() => statuses.get('shown-names')?.state === 'stopped')
    expect(await rows('lost_names')).toEqual([{ id: contact, names: 'a;' }])
    expect(healthOf(statuses)['projection shown-names']).toMatchObject({ reason: 'error', position: before })
    expect(Object.keys(healthOf(statuses))).toEqual(['projection shown-names'])
    expect((await postgres.pool.query('select from parked_work')).rowCount).toBe(0)
  })

  it('heals by itself when its connections are cut', async () => {
    const projection = names('shown-names')
    run(projection)
    await reached(projection, await append(named('a')))
    await postgres.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await reached(projection, await append(named('b')))
    expect(await rows()).toEqual([{ id: contact, names: 'a;b;' }])
    await until(() => Object.keys(healthOf(statuses)).length === 0)
  })

  it('is written by one runner only, when two believe that it is theirs', async () => {
    const projection = names('shown-names')
    await prepareReadModel(postgres.pool, projection)
    const position = await append(named('a'))
    const recorded = []
    for await (const { events } of log.store.readAll(beginning, projection)) recorded.push(...events)
    const events = await log.codec.decode(recorded)
    const writes = await Promise.allSettled(
      Array.from({ length: 8 }, () => writeBatch(postgres.pool, projection, events, beginning, position)),
    )
    const refused = writes.filter((write) => write.status === 'rejected')
    expect(refused.map(({ reason }) => reason)).toEqual(Array.from({ length: 7 }, () => expect.any(Overtaken)))
    expect(await rows()).toEqual([{ id: contact, names: 'a;' }])
  })
})
