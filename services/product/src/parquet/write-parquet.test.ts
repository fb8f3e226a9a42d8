import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DuckDb, openDuckDb } from './testing/duckdb.ts'
import { type ParquetColumn, type ParquetOptions, type ParquetRow, parquetFile } from './write-parquet.ts'

let folder: string
let duckdb: DuckDb
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parquet-'))
  duckdb = await openDuckDb()
})
afterAll(async () => {
  duckdb.close()
  await rm(folder, { recursive: true })
})

const columns: ParquetColumn[] = [
  { name: 'id', type: 'uuid' },
  { name: 'text', type: 'text' },
  { name: 'count', type: 'integer' },
  { name: 'share', type: 'number' },
  { name: 'isOpen', type: 'boolean' },
  { name: 'at', type: 'instant' },
  { name: 'data', type: 'json' },
]
const written = async (rows: Iterable<ParquetRow> | AsyncIterable<ParquetRow>, options?: ParquetOptions) => {
  const pieces: Uint8Array[] = []
  for await (const piece of parquetFile(columns, rows, options)) pieces.push(piece)
  const path = join(folder, `${randomUUID()}.parquet`)
  await writeFile(path, Buffer.concat(pieces))
  return { path, pieces: pieces.length }
}
const row = (number: number): ParquetRow => ({
  id: `00000000-0000-8000-8000-${String(number).padStart(12, '0')}`,
  text: `Olá, ${number}: "ação" 👩‍👩‍👧 \u0001\n`,
  count: 2 ** 40 + number,
  share: number / 3,
  isOpen: number % 2 === 0,
  at: '2026-11-27T06:30:00.123Z',
  data: JSON.stringify({ number, nested: { list: [1, null, 'ç'] } }),
})

describe('a Parquet file', () => {
  it('is read by DuckDB with the types and values that were written, across row groups', async () => {
    const rows = Array.from({ length: 2500 }, (_, number) => row(number))
    const { path, pieces } = await written(rows, { maxRows: 1000 })
    expect(pieces).toBe(4)
    const types = await duckdb.query(`describe select * from '${path}'`)
    expect(types.map(({ column_name, column_type }) => [column_name, column_type])).toEqual([
      ['id', 'UUID'],
      ['text', 'VARCHAR'],
      ['count', 'BIGINT'],
      ['share', 'DOUBLE'],
      ['isOpen', 'BOOLEAN'],
      ['at', 'TIMESTAMP WITH TIME ZONE'],
      ['data', 'JSON'],
    ])
    const read = await duckdb.query(`select * replace (epoch_ms("at") as "at") from '${path}'`)
    expect(read).toEqual(
      rows.map((each) => ({
        ...each,
        count: String(each.count),
        at: String(Date.parse('2026-11-27T06:30:00.123Z')),
      })),
    )
    const [hour] = await duckdb.query(
      `select count(*) as rows, date_part('hour', any_value("at" at time zone 'America/Sao_Paulo')) as hour,
        sum(cast(data->>'$.number' as integer)) as numbers from '${path}'`,
    )
    expect(hour).toEqual({ rows: '2500', hour: '3', numbers: String((2499 * 2500) / 2) })
  })

  it('has no value where there is none, and may have no rows', async () => {
    const { path } = await written([{ text: 'a' }, { text: null, count: 0n }, {}])
    expect(await duckdb.query(`select text, "count", "at", data from '${path}'`)).toEqual([
      { text: 'a', count: null, at: null, data: null },
      { text: null, count: '0', at: null, data: null },
      { text: null, count: null, at: null, data: null },
    ])
    const empty = await written([])
    expect(await duckdb.query(`select count(*) as n, count(data) as m from '${empty.path}'`)).toEqual([
      { n: '0', m: '0' },
    ])
  })

  it('begins a row group where its text is long', async () => {
    const long = { text: 'x'.repeat(60_000) }
    const { path, pieces } = await written([long, long, long, long], { maxCharacters: 100_000 })
    expect(pieces).toBe(3)
    expect(await duckdb.query(`select sum(length(text)) as n from '${path}'`)).toEqual([{ n: '240000' }])
  })

  it('asks for rows only as fast as its pieces are taken', async () => {
    let asked = 0
    const rows = (function* () {
      for (; asked < 10_000; asked++) yield row(asked)
    })()
    const file = parquetFile(columns, rows, { maxRows: 100 })
    await file.next()
    expect(asked).toBeLessThanOrEqual(100)
    await file.return(undefined)
  })

  it('is refused rather than written wrongly', async () => {
    await expect(written([{ id: 'no uuid' }])).rejects.toThrow('UUID')
    await expect(written([{ isOpen: 'yes' }])).rejects.toThrow('boolean')
    await expect(written([{ at: 'yesterday' }])).rejects.toThrow(RangeError)
  })
})
