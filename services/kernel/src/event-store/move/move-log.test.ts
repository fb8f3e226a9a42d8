import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock as clock } from '../../clock.ts'
import { kernelMigrations } from '../../migrations/kernel-migrations.ts'
import { sqlMigration } from '../../postgres/migrations.ts'
import { openPool } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { accepted, event, newStream, readLog } from '../contract/samples.ts'
import { EventStoreDbDouble } from '../eventstoredb/double/event-store-db-double.ts'
import { eventStoreDbEventStore } from '../eventstoredb.ts'
import { identityOf, recognizeLog, WrongLog } from '../identity/recognize-log.ts'
import { beginning, type EventStore, type Position } from '../port.ts'
import { postgresEventStore } from '../postgres.ts'
import { type LogAt, moveLog } from './move-log.ts'

const outbox = {
  package: 'sessions',
  migrations: [
    sqlMigration('0001_outbox', 'create table outbox (n int primary key, position text collate "C" not null)'),
  ],
}
const positionTables = [...(kernelMigrations.positionTables ?? []), 'outbox']

let database: TestPostgres
/** Of the test, not of the product. */
let db: pg.Client
let server: EventStoreDbDouble
let inPostgres: LogAt
let inEventStoreDb: LogAt

beforeEach(async () => {
  database = await kernelDatabase(outbox)
  db = new pg.Client({ connectionString: database.url })
  await db.connect()
  server = await new EventStoreDbDouble().start()
  inPostgres = { store: await postgresEventStore({ url: database.url }), address: 'PostgreSQL' }
  inEventStoreDb = { store: await eventStoreDbEventStore({ url: server.url }), address: 'EventStoreDB at here' }
})
afterEach(async () => {
  await inPostgres.store.close()
  await inEventStoreDb.store.close()
  server.kill()
  await db.end()
  await database.drop()
})

const start = async ({ store, address }: LogAt) => {
  const pool = new pg.Pool({ connectionString: database.url })
  try {
    return (await recognizeLog({ store, pool, clock, address })).logId
  } finally {
    await pool.end()
  }
}
const move = (source: LogAt, target: LogAt) =>
  moveLog({ databaseUrl: database.url, source, target, positionTables, clock, onProgress: () => undefined })

const write = async ({ store }: LogAt, count: number): Promise<Position[]> => {
  const positions: Position[] = []
  for (let index = 0; index < count; index++)
    positions.push(accepted(await store.append(newStream('user'), 'no_stream', [event({ index })])).position)
  return positions
}
const known = async () => (await db.query('select log_id, address from log_identity')).rows
const checkpoints = async (): Promise<Record<string, Position>> => {
  const { rows } = await db.query<{ name: string; position: Position }>('select name, position from checkpoint')
  return Object.fromEntries(rows.map(({ name, position }) => [name, position]))
}
const setCheckpoint = (name: string, position: Position) =>
  db.query(
    'insert into checkpoint (name, version, position) values ($1, 1, $2) on conflict (name) do update set position = $2',
    [name, position],
  )
const indexesAfter = async (store: EventStore, position: Position) =>
  (await readLog(store, position, ['user'])).map(({ data }) => data.index)

describe('a move of the log', () => {
  it('gives the database a copy with an id of its own, and leaves the former log as it is', async () => {
    const before = await start(inPostgres)
    await write(inPostgres, 12)
    expect(await move(inPostgres, inEventStoreDb)).toMatchObject({
      state: 'moved',
      verified: { events: 12, streams: 12 },
    })
    const identity = await identityOf(inEventStoreDb.store)
    expect(identity).toEqual({ logId: expect.any(String), copyOf: before })
    expect(await known()).toEqual([{ log_id: identity?.logId, address: inEventStoreDb.address }])
    expect(await start(inEventStoreDb)).toBe(identity?.logId)
    await expect(start(inPostgres)).rejects.toThrow(WrongLog)
    expect(await indexesAfter(inPostgres.store, beginning)).toEqual(await indexesAfter(inEventStoreDb.store, beginning))
    expect(await move(inPostgres, inEventStoreDb)).toEqual({ state: 'moved before' })
  })

  it('lets each consumer go on after the event that it had finished, there and back', async () => {
    await start(inPostgres)
    const positions = await write(inPostgres, 5)
    await setCheckpoint('never ran', beginning)
    for (const [index, position] of positions.entries()) await setCheckpoint(`finished ${index}`, position)
    await move(inPostgres, inEventStoreDb)
    const afterEach = async ({ store }: LogAt) => {
      for (const [name, position] of Object.entries(await checkpoints()))
        expect([name, await indexesAfter(store, position)]).toEqual([
          name,
          [0, 1, 2, 3, 4].slice(name === 'never ran' ? 0 : Number(name.at(-1)) + 1),
        ])
    }
    await afterEach(inEventStoreDb)
    // A checkpoint of EventStoreDB may be the position of an event of the server's own.
    server.log.writeSystemEvent('$metadata')
    await setCheckpoint('finished 4', String(server.log.head()).padStart(20, '0') as Position)
    expect(await move(inEventStoreDb, inPostgres)).toMatchObject({ state: 'moved' })
    await afterEach(inPostgres)
    expect(await checkpoints()).toMatchObject(
      Object.fromEntries(positions.map((position, index) => [`finished ${index}`, position])),
    )
  })

  it('goes back to the log that it was copied from, with what was written meanwhile', async () => {
    const first = await start(inPostgres)
    await write(inPostgres, 3)
    await move(inPostgres, inEventStoreDb)
    const second = await start(inEventStoreDb)
    await write(inEventStoreDb, 4)
    await move(inEventStoreDb, inPostgres)
    expect(await start(inPostgres)).toBe(first)
    await write(inPostgres, 2)
    await move(inPostgres, inEventStoreDb)
    expect(await start(inEventStoreDb)).toBe(second)
    expect(await indexesAfter(inEventStoreDb.store, beginning)).toEqual([0, 1, 2, 0, 1, 2, 3, 0, 1])
  })

  it('maps parked work and what waits to leave exactly, and forgets read models and snapshots', async () => {
    await start(inPostgres)
    const positions = await write(inPostgres, 6)
    const events = await readLog(inPostgres.store, beginning, ['user'])
    for (const [n, position] of positions.entries()) {
      await db.query('insert into outbox values ($1, $2)', [n, position])
      await db.query(
        'insert into parked_event (worker, position, work_id, event_id, stream, revision) values ($1, $2, $3, $4, $5, 0)',
        ['reactor greet', position, randomUUID(), events[n]?.id, events[n]?.stream],
      )
    }
    await db.query(
      `insert into parked_work (id, worker, position, event_id, error_name, message, attempts, parked_at)
       values ($1, 'reactor greet', $2, $3, 'Error', '', 1, now()), ($4, 'reactor greet', null, null, 'Error', '', 1, now())`,
      [randomUUID(), positions[2], events[2]?.id, randomUUID()],
    )
    await db.query(`insert into read_model (name, done, total) values ('contact-list', 5, 9)`)
    for (const name of ['contact-list', 'contact-list (rebuild)', 'contact-list (renewal)', 'contact-list-reader'])
      await setCheckpoint(name, positions[3] ?? beginning)
    await db.query(
      `insert into stream_snapshot (stream, decider, fold_version, revision, lineage, subject_key, state)
       values ('user-1', 'user', 1, 0, $1, $1, 'x')`,
      [randomUUID()],
    )
    await db.query(`insert into stream_entry (lineage, key, value) values ($1, 'k', 'v')`, [randomUUID()])
    await move(inPostgres, inEventStoreDb)

    const copies = await readLog(inEventStoreDb.store, beginning, ['user'])
    expect((await db.query('select n, position from outbox order by n')).rows).toEqual(
      copies.map(({ position }, n) => ({ n, position })),
    )
    expect((await db.query('select position, event_id from parked_event order by position')).rows).toEqual(
      copies.map(({ position, id }) => ({ position, event_id: id })),
    )
    expect((await db.query('select position from parked_work order by position')).rows).toEqual([
      { position: copies[2]?.position },
      { position: null },
    ])
    expect(await checkpoints()).toEqual({ 'contact-list-reader': copies[3]?.position })
    const counts =
      'select (select count(*) from stream_snapshot)::int + (select count(*) from stream_entry)::int as left'
    expect((await db.query(counts)).rows).toEqual([{ left: 0 }])
    expect((await db.query('select done, total from read_model')).rows).toEqual([{ done: null, total: null }])
  })

  it('that breaks off anywhere leaves the former log in place, and goes on with what was written since', async () => {
    const before = await start(inPostgres)
    await write(inPostgres, 8)
    let left = 0
    const dying: LogAt = {
      ...inEventStoreDb,
      store: {
        ...inEventStoreDb.store,
        async append(...args) {
          if (left-- <= 0) throw new Error('killed')
          return inEventStoreDb.store.append(...args)
        },
      },
    }
    for (const appends of [0, 1, 2, 5]) {
      left = appends
      await expect(move(inPostgres, dying)).rejects.toThrow('killed')
      await expect(start(inEventStoreDb)).rejects.toThrow(WrongLog)
      expect(await start(inPostgres)).toBe(before)
      await write(inPostgres, 1)
    }
    await db.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`)
    await db.query('create trigger t before update on log_identity for each row execute function fail()')
    const positions = await checkpoints()
    await setCheckpoint('greet', (await write(inPostgres, 1))[0] ?? beginning)
    await expect(move(inPostgres, inEventStoreDb)).rejects.toThrow('killed')
    await db.query('drop trigger t on log_identity')
    expect(await checkpoints()).toMatchObject(positions)
    expect(await start(inPostgres)).toBe(before)
    expect(await move(inPostgres, inEventStoreDb)).toMatchObject({ state: 'moved' })
    expect(await indexesAfter(inEventStoreDb.store, beginning)).toEqual(await indexesAfter(inPostgres.store, beginning))
  })

  it('waits for nobody: it refuses beside the product, and the product refuses beside it', async () => {
    await start(inPostgres)
    await write(inPostgres, 3)
    const product = openPool(database.url)
    await product.query('select 1')
    await expect(move(inPostgres, inEventStoreDb)).rejects.toThrow('Prosa is running on this database: stop all')
    await product.end()
    let meanwhile: unknown
    const slow: LogAt = {
      ...inEventStoreDb,
      store: {
        ...inEventStoreDb.store,
        async append(...args) {
          meanwhile ??= await start(inPostgres).catch((error: unknown) => error)
          await expect(move(inPostgres, inEventStoreDb)).rejects.toThrow('Another move of this log runs')
          return inEventStoreDb.store.append(...args)
        },
      },
    }
    expect(await move(inPostgres, slow)).toMatchObject({ state: 'moved' })
    expect(String(meanwhile)).toMatch('The log of this database is being moved')
  })

  it('changes nothing where somebody appended to the former log in spite of all', async () => {
    await start(inPostgres)
    await write(inPostgres, 3)
    let reads = 0
    const disturbed: LogAt = {
      ...inPostgres,
      store: {
        ...inPostgres.store,
        async *readWhole(after) {
          reads++
          yield* inPostgres.store.readWhole(after)
          if (reads === 2) await write(inPostgres, 1)
        },
      },
    }
    const before = await known()
    await expect(move(disturbed, inEventStoreDb)).rejects.toThrow('Events were appended to the log while it was moved')
    expect(await known()).toEqual(before)
  })

  it('goes to no log of others, and not from one that the database does not belong to', async () => {
    await expect(move(inPostgres, inEventStoreDb)).rejects.toThrow('does not know its log yet')
    await start(inPostgres)
    await write(inPostgres, 1)
    await expect(move(inEventStoreDb, inPostgres)).resolves.toEqual({ state: 'moved before' })
    await write(inEventStoreDb, 1)
    await expect(move(inPostgres, inEventStoreDb)).rejects.toThrow('holds events, which is no copy of this one')
    await db.query('delete from log_identity')
    await start(inEventStoreDb)
    await expect(move(inEventStoreDb, inPostgres)).rejects.toThrow(
      /The other log is the log \S+ \(PostgreSQL\), which is no copy/,
    )
    await db.query(`update log_identity set log_id = $1`, [randomUUID()])
    await expect(move(inEventStoreDb, inPostgres)).rejects.toThrow(
      'which is not the log to be moved (EventStoreDB at here)',
    )
  })
})
