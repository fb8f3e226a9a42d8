import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { loadCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import { createKernelTables } from '@prosa/kernel/schema'
import { until } from '@prosa/kernel/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { idOf, type TestLog, testLog } from '../testing/test-log.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import type { Projection } from './projection.ts'
import { type ProjectionHealth, runProjection } from './run-projection.ts'
import { Overtaken, writeBatch } from './write-batch.ts'

interface Names {
  id: string
  names: string
}

/** All names that a contact has had. */
const names = (name: string, version = 1): Projection<Names> => ({
  name,
  version,
  categories: ['contact'],
  table: { name: name.replace('-', '_'), key: 'id', columns: { id: 'text collate "C"', names: 'text not null' } },
  on: {
    ContactNamed: {
      key: ({ stream }) => stream,
      row: (row, { stream, data }) => {
        if (data.name === 'poison') throw new Error('cannot be folded')
        return { id: stream, names: `${row?.names ?? ''}${data.name};` }
      },
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
  let health: ProjectionHealth
  let running: Promise<void>[]
  beforeEach(async () => {
    postgres = await testPostgres()
    await createKernelTables(postgres.pool)
    log = testLog()
    stopping = new AbortController()
    health = new Map()
    running = []
  })
  afterEach(async () => {
    stopping.abort()
    await Promise.all(running)
    await postgres.drop()
  })

  const append = (event: AnyEvent, stream = contact) => log.append('owner', stream, event)
  const run = (projection: Projection<Names>, signal = stopping.signal) => {
    const deps = { ...log, pool: postgres.pool, databaseUrl: postgres.url, log: silentLog() }
    const done = runProjection(projection, deps, signal, health)
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
      },
      on: {
        ContactNamed: {
          key: ({ stream }) => stream,
          row: (_, { stream, data }) => ({ id: stream, names: data.name, length: data.name.length }),
        },
      },
    }
    const deps = { ...log, pool: postgres.pool, databaseUrl: postgres.url, log: silentLog() }
    running.push(runProjection(renewed, deps, stopping.signal, health))
    await until(async () => (await loadCheckpoint(postgres.pool, 'shown-names', 2)) === position)
    expect(await rows()).toEqual([{ id: contact, names: 'a', length: 1 }])
  })

  it('stops at an event that cannot be folded, shows all before it, says so, and disturbs no other', async () => {
    const projection = names('shown-names')
    const other = {
      ...names('other-names'),
      on: { ContactNamed: { ...names('').on.ContactNamed, row: () => undefined } },
    }
    const before: Position[] = []
    for (const name of ['a', 'b', 'c']) before.push(await append(named(name)))
    await append(named('poison'))
    const end = await append(named('d'))
    run(projection)
    run(other as Projection<Names>)
    await reached(other as Projection<Names>, end)
    await until(() => health.get('shown-names')?.state === 'stopped')
    expect(await rows()).toEqual([{ id: contact, names: 'a;b;c;' }])
    expect(health.get('shown-names')).toMatchObject({ reason: 'UnfoldableEvent', position: before.at(-1) })
    expect(health.has('other-names')).toBe(false)
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
    expect(health.size).toBe(0)
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
