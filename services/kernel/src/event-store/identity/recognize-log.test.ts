import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock as clock } from '../../clock.ts'
import { saveCheckpoint } from '../../consumers/engine/checkpoints.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { explain } from '../../process/explain.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { accepted, event } from '../contract/samples.ts'
import { EventStoreDbDouble } from '../eventstoredb/double/event-store-db-double.ts'
import { eventStoreDbEventStore } from '../eventstoredb.ts'
import { memoryEventStore } from '../memory.ts'
import type { EventStore, Position } from '../port.ts'
import { postgresEventStore } from '../postgres.ts'
import { addressOfLog, identityOf, identityStream, recognizeLog, WrongLog } from './recognize-log.ts'

const address = 'EventStoreDB at here:2113'
const other = 'EventStoreDB at there:2113'
let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

const fresh = async () => {
  await database.pool.query('truncate log_identity, checkpoint')
  return memoryEventStore()
}
const start = async (store: EventStore, at = address) =>
  (await recognizeLog({ store, pool: database.pool, clock, address: at })).logId
const logIdOf = async (store: EventStore) => (await identityOf(store))?.logId
const refusal = (store: EventStore, at = address) =>
  start(store, at).then(
    () => expect.fail('it started'),
    (error: unknown) => error,
  )
const write = async (store: EventStore): Promise<Position> =>
  accepted(await store.append(`user-${randomUUID()}`, 'no_stream', [event(), event()])).position
const readUpTo = (position: Position) => saveCheckpoint(database.pool, 'users', 1, position)
const known = async () => (await database.pool.query('select log_id, address, is_confirmed from log_identity')).rows

describe('the log that a database belongs to', () => {
  it('gets an id as its first event, which is in the database too', async () => {
    const store = await fresh()
    const logId = await start(store)
    for await (const page of store.read(identityStream))
      expect(page).toMatchObject([{ revision: 0n, data: { logId }, position: expect.stringMatching(/1$/) }])
    expect(await known()).toEqual([{ log_id: logId, address, is_confirmed: true }])
  })

  it('gets one id, however many processes start at once, and keeps it', async () => {
    const store = await fresh()
    const ids = await Promise.all(Array.from({ length: 8 }, () => start(store)))
    expect(new Set([...ids, await start(store)]).size).toBe(1)
  })

  it('may be found elsewhere', async () => {
    const store = await fresh()
    await start(store)
    const logId = await start(store, other)
    expect(await known()).toEqual([{ log_id: logId, address: other, is_confirmed: true }])
  })

  it('is recognised by a new database', async () => {
    const store = await fresh()
    const logId = await start(store)
    await database.pool.query('truncate log_identity')
    expect(await start(store)).toBe(logId)
  })

  it('is not another one: the start is refused, and nothing is written to either', async () => {
    const store = await fresh()
    const right = await start(store)
    const before = await known()
    const another = memoryEventStore()
    await database.pool.query('truncate log_identity')
    const wrong = await start(another, other)
    await database.pool.query('update log_identity set log_id = $1, address = $2', [right, address])
    const error = await refusal(another, other)
    expect(error).toBeInstanceOf(WrongLog)
    expect(explain(error)).toBe(
      `This database belongs to the log ${right} (${address}), but was started with the log ${wrong} (${other}); nothing was ` +
        'changed: set EVENTSTORE_URL to the log that the database belongs to, or unset it where that is in PostgreSQL.',
    )
    expect(await known()).toEqual(before)
    expect(await start(store)).toBe(right)
  })

  it('is not an emptied one, which stays empty', async () => {
    const store = await fresh()
    const logId = await start(store)
    const emptied = memoryEventStore()
    expect(String(await refusal(emptied))).toMatch(
      `the log ${logId} (${address}), but was started with ${address}, which bears no id`,
    )
    expect(await logIdOf(emptied)).toBeUndefined()
  })

  it('is named at once in an installation of an earlier release', async () => {
    const store = await fresh()
    await readUpTo(await write(store))
    const logId = await start(store)
    expect(await start(store)).toBe(logId)
  })

  it('is not an empty one in an installation of an earlier release', async () => {
    const store = await fresh()
    await readUpTo(await write(store))
    const emptied = memoryEventStore()
    expect(String(await refusal(emptied))).toMatch('which does not hold the event that this database read last')
    expect([await logIdOf(emptied), await known()]).toEqual([undefined, []])
  })

  it('gets the id that a start had chosen that was killed before it reached the log', async () => {
    const store = await fresh()
    const chosen = randomUUID()
    await database.pool.query('insert into log_identity (log_id, address, is_confirmed) values ($1, $2, false)', [
      chosen,
      address,
    ])
    expect(await start(store)).toBe(chosen)
    expect(await logIdOf(store)).toBe(chosen)
  })

  it('is of the kind that it was, also in an installation of an earlier release', async () => {
    await fresh()
    const server = await new EventStoreDbDouble().start()
    const inPostgres = await postgresEventStore({ url: database.url })
    const inEventStoreDb = await eventStoreDbEventStore({ url: server.url })
    await readUpTo(await write(inPostgres))
    await write(inEventStoreDb)
    expect(String(await refusal(inEventStoreDb))).toMatch('(in PostgreSQL)')
    await readUpTo(await write(inEventStoreDb))
    expect(String(await refusal(inPostgres, 'PostgreSQL'))).toMatch('(an EventStoreDB)')
    const logId = await start(inEventStoreDb)
    expect(await logIdOf(inEventStoreDb)).toBe(logId)
    await inPostgres.close()
    await inEventStoreDb.close()
    server.kill()
  })

  it('is described without its password', () => {
    expect(addressOfLog('esdb://admin:changeit@a:2113,b:2113?tls=true')).toBe('EventStoreDB at a:2113,b:2113')
    expect(addressOfLog('esdb+discover://cluster.example.com')).toBe('EventStoreDB at cluster.example.com')
    expect(addressOfLog(undefined)).toBe('PostgreSQL')
  })
})
