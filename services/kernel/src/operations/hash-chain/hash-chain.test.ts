import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accepted, event, newStream } from '../../event-store/contract/samples.ts'
import { claimLogId, confirmLog } from '../../event-store/identity/queries.ts'
import type { EventStore } from '../../event-store/port.ts'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { memoryFileStore } from '../../files/memory.ts'
import type { FileStore } from '../../files/port.ts'
import { openPool } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { extendChain } from './extend-chain.ts'
import { readHeads } from './heads-file.ts'
import { findBlocks } from './queries.ts'
import { verifyLog } from './verify-log.ts'

let database: TestPostgres
let store: EventStore
let pool: Pool
let files: FileStore
let folder: string
let headsFile: string
let logId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-chain-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  database = await kernelDatabase()
  pool = openPool(database.url)
  store = await postgresEventStore({ url: database.url })
  files = memoryFileStore()
  headsFile = join(folder, `${randomUUID()}.jsonl`)
  logId = await claimLogId(pool, randomUUID(), 'here')
  await confirmLog(pool, logId, 'here')
  return async () => {
    await store.close()
    await pool.end()
    await database.drop()
  }
})

const fill = async (count: number) => {
  for (let index = 0; index < count; index++)
    accepted(await store.append(newStream(), 'no_stream', [event({ index, text: `mensagem ${index}` })]))
}
const signal = new AbortController().signal
const chain = (now = '2026-11-27T00:10:00.000Z', into = files) =>
  extendChain({ store, pool, files: into, clock: { now: () => now }, headsFile }, signal, { eventsOfBlock: 10 })
const verify = async () =>
  verifyLog({ store, files, blocks: await findBlocks(pool, logId), heads: await readHeads(headsFile, logId) })
const idAt = async (position: number) =>
  (await pool.query<{ id: string }>('select id from es.event where position = $1', [position])).rows[0]?.id

describe('the hash chain of the log', () => {
  it('covers every event once, in blocks, and what came later on the next day', async () => {
    await fill(25)
    expect((await chain()).map(({ number, events }) => [number, events])).toEqual([
      [1, 10],
      [2, 10],
      [3, 5],
    ])
    await fill(3)
    expect(await chain('2026-11-27T23:59:00.000Z')).toEqual([])
    expect(await verify()).toEqual({ blocks: 3, events: 25, unchained: 3, unwitnessed: 0, differences: [], faults: [] })
    expect((await chain('2026-11-28T00:05:00.000Z')).map(({ events }) => events)).toEqual([3])
    expect(await verify()).toEqual({ blocks: 4, events: 28, unchained: 0, unwitnessed: 0, differences: [], faults: [] })
  })

  it('names one event that was changed, one that was removed, and one that was inserted', async () => {
    await fill(30)
    const before = await idAt(27)
    await pool.query('delete from es.event where position = 27')
    await chain()
    const [changed, removed, inserted] = [await idAt(4), await idAt(15), randomUUID()]
    await pool.query(`update es.event set data = '{"index":4,"text":"outra"}' where position = 4`)
    await pool.query('delete from es.event where position = 15')
    await pool.query(
      `insert into es.event (position, stream, revision, id, type, data, metadata)
       select 27, 'contact-' || $1, 0, $1::uuid, type, data, metadata from es.event where position = 1`,
      [inserted],
    )
    const { differences, faults } = await verify()
    expect(faults).toEqual([])
    expect(differences.map(({ kind, eventId, block }) => [kind, eventId, block])).toEqual([
      ['changed', changed, 1],
      ['removed', removed, 2],
      ['inserted', inserted, 3],
    ])
    expect(before).not.toBe(inserted)
  })

  it.each([
    ['type', `update es.event set type = 'Other' where position = 7`],
    ['metadata', `update es.event set metadata = '{"actor":{"kind":"user","id":"x"}}' where position = 7`],
    ['stream', `update es.event set stream = 'contact-x' where position = 7`],
    ['id', `update es.event set id = gen_random_uuid() where position = 7`],
  ])('sees a changed %s', async (_, change) => {
    await fill(12)
    await chain()
    await pool.query(change)
    expect((await verify()).differences).toMatchObject([{ kind: 'changed', block: 1 }])
  })

  it('sees the last event of a block removed', async () => {
    await fill(20)
    await chain()
    await pool.query('delete from es.event where position in (10, 20)')
    expect((await verify()).differences.map(({ kind, block }) => [kind, block])).toEqual([
      ['removed', 1],
      ['removed', 2],
    ])
  })

  it('shows by the file of heads when log and blocks were changed alike, and never writes over it', async () => {
    await fill(20)
    await chain()
    const heads = await readFile(headsFile, 'utf8')
    await pool.query(`update es.event set data = '{"index":0}' where position = 13`)
    await pool.query('delete from log_block where number = 2')
    await expect(chain('2026-11-28T00:10:00.000Z')).rejects.toThrow('verify-log')
    expect(await readFile(headsFile, 'utf8')).toBe(heads)
    expect((await verify()).faults).toEqual([{ kind: 'missing', from: 2, to: 2 }])

    await rm(headsFile)
    await chain('2026-11-28T00:10:00.000Z')
    expect((await verify()).unwitnessed).toBe(1)
    await writeFile(headsFile, heads)
    expect(await verify()).toMatchObject({ differences: [], faults: [{ kind: 'other in heads file', block: 2 }] })
  })

  it('says which blocks are gone, broken, or without their entries', async () => {
    await fill(40)
    await chain()
    await pool.query('delete from log_block where number in (2, 4)')
    expect((await verify()).faults).toEqual([
      { kind: 'missing', from: 2, to: 2 },
      { kind: 'missing', from: 4, to: 4 },
    ])
    await pool.query('update log_block set events = 11 where number = 1')
    expect((await verify()).faults).toContainEqual({ kind: 'broken', block: 1 })
    await files.deleteAll('log-blocks/')
    expect((await verify()).faults).not.toContainEqual({ kind: 'entries lost', block: 1 })
    await pool.query(`update es.event set data = '{}' where position = 5`)
    expect((await verify()).faults).toContainEqual({ kind: 'entries lost', block: 1 })
  })

  it('goes on after a crash between any two of its steps, with the same blocks where the file of heads has them', async () => {
    await fill(15)
    let left = 1
    const failing: FileStore = {
      ...files,
      put: async (...given) => {
        if (left-- === 0) throw new Error('killed')
        return files.put(...given)
      },
    }
    await expect(chain(undefined, failing)).rejects.toThrow('killed')
    await pool.query('delete from log_block')
    await fill(2)
    await chain()
    const all = { blocks: 2, events: 17, unchained: 0, unwitnessed: 0, differences: [], faults: [] }
    expect(await verify()).toEqual(all)
    await pool.query('delete from log_block')
    await fill(3)
    expect((await chain('2026-11-28T00:10:00.000Z')).map(({ events, day }) => [events, day])).toEqual([
      [10, '2026-11-27'],
      [7, '2026-11-27'],
      [3, '2026-11-28'],
    ])
    expect(await verify()).toEqual({ ...all, blocks: 3, events: 20 })
  })

  it('lets one of two processes win where both believe that they are the only one', async () => {
    await fill(25)
    await Promise.all([chain(), chain()])
    expect(await verify()).toEqual({ blocks: 3, events: 25, unchained: 0, unwitnessed: 0, differences: [], faults: [] })
  })

  it('passes over a line of heads that a power cut left in part', async () => {
    await fill(10)
    await writeFile(headsFile, '{"logId":"')
    await chain()
    expect((await verify()).faults).toEqual([])
  })
})
