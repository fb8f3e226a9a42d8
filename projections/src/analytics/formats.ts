import type { ColumnType, PublishedTable } from '@prosa/contracts/published/tables/published-table'
import { type ParquetRow, type ParquetType, parquetFile } from '@prosa/product/parquet/write-parquet'
import { csvRecords } from '@prosa/product/publishing/csv-records'
import type { TableRecord } from './read-table.ts'

type Pages = AsyncIterable<readonly TableRecord[]>
type Columns = PublishedTable['columns']

export type TableFormat = 'ndjson' | 'csv' | 'parquet'

async function* ndjson(_: Columns, pages: Pages): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function* csv(columns: Columns, pages: Pages): AsyncGenerator<string> {
  const names = columns.map(({ name }) => name)
  yield csvRecords([names])
  for await (const rows of pages) yield csvRecords(rows.map((row) => names.map((name) => row[name])))
}

/** Dates and ids are text: an id of a message need not be a UUID. */
const parquetTypes: Record<ColumnType, ParquetType> = {
  text: 'text',
  date: 'text',
  integer: 'integer',
  boolean: 'boolean',
  time: 'instant',
}

async function* rowsOf(pages: Pages): AsyncGenerator<ParquetRow> {
  for await (const rows of pages) yield* rows as readonly ParquetRow[]
}

const parquet = (columns: Columns, pages: Pages): AsyncGenerator<Uint8Array> =>
  parquetFile(
    columns.map(({ name, type }) => ({ name, type: parquetTypes[type] })),
    rowsOf(pages),
  )

interface Format {
  contentType: string
  /** May be compressed on its way. */
  isText: boolean
  pieces(columns: Columns, pages: Pages): AsyncGenerator<string | Uint8Array>
}

export const formats: Record<TableFormat, Format> = {
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', isText: true, pieces: ndjson },
  csv: { contentType: 'text/csv; charset=utf-8', isText: true, pieces: csv },
  parquet: { contentType: 'application/vnd.apache.parquet', isText: false, pieces: parquet },
}
