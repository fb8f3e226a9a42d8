import fc from 'fast-check'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../../postgres/pool.ts'
import { type TestPostgres, testPostgres } from '../../../postgres/testing.ts'
import { anyValueOf } from '../../testing/any-column.ts'
import { createTable, type Table, upsertRows } from '../table.ts'
import { copyRows } from './copy-rows.ts'

type Row = Record<string, unknown>

const columns = {
  id: 'text collate "C" not null',
  words: 'text[] not null',
  moreWords: 'text[]',
  counts: 'int[] not null',
  moments: 'timestamptz[]',
  flags: 'boolean[]',
  text: 'text',
  jsonb: `jsonb not null default '[]'`,
  at: 'timestamptz',
  day: 'date',
  count: 'bigint',
  share: 'double precision',
  other: 'uuid',
}
const tableNamed = (name: string): Table<Row> => ({ name, key: 'id', columns })
const [inserted, copied] = [tableNamed('inserted'), tableNamed('copied')]

const anyRow = fc.record(Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, anyValueOf(type)])))

let postgres: TestPostgres
let pool: Pool
let db: PoolClient
beforeAll(async () => {
  postgres = await testPostgres()
  pool = openPool(postgres.url, { max: 1 })
  db = await pool.connect()
  for (const table of [inserted, copied]) await createTable(db, table)
})
afterAll(async () => {
  db.release()
  await pool.end()
  await postgres.drop()
})

const storedIn = async ({ name }: Table<Row>) => {
  const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t order by id`)
  return rows.map(({ row }) => row)
}

describe('rows that are copied', () => {
  it('are what inserting them makes of them, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 8 }), async (values) => {
        const rows = values.map((row, index) => ({ ...row, id: `${index}` }))
        await db.query('truncate inserted, copied')
        await upsertRows(db, inserted, rows)
        await copyRows(db, copied, [rows])
        expect(await storedIn(copied)).toEqual(await storedIn(inserted))
      }),
      { numRuns: 60 },
    )
  })

  const plain = (id: string, more: Row = {}): Row => ({ id, words: [], counts: [], jsonb: [], ...more })
  const backend = async () => (await db.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

  it.each<[string, () => AsyncGenerator<Row[]> | Row[][], string]>([
    [
      'whose making fails',
      async function* () {
        yield [plain('1')]
        throw new Error('stopped half-way')
      },
      'stopped half-way',
    ],
    ['of which one does not fit its column', () => [[plain('1'), plain('2', { words: 'no array' })]], 'no array'],
    ['of which one is refused', () => [[plain('1'), plain('1')]], 'duplicate key'],
    ['of which one has an object for a text', () => [[plain('1', { text: {} })]], 'an object'],
  ])('%s are not there, and their connection serves on', async (_, groups, message) => {
    await db.query('truncate copied')
    const before = await backend()
    await expect(copyRows(db, copied, groups())).rejects.toThrow(message)
    expect(await storedIn(copied)).toEqual([])
    expect(await backend()).toBe(before)
    await copyRows(db, copied, [[plain('3')]])
    expect(await storedIn(copied)).toHaveLength(1)
  })

  it('fail where the connection is lost in the middle', async () => {
    const other = openPool(postgres.url, { max: 1 })
    const client = await other.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const groups = async function* () {
      yield [plain('9')]
      await db.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
      yield [plain('10')]
    }
    await expect(copyRows(client, copied, groups())).rejects.toThrow(/terminat/)
    client.release(true)
    await other.end()
  })
})
