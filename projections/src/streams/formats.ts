import type { StreamFormat } from '@prosa/contracts/http/streams'
import { columnsOfAll, columnsOfType, type EventColumn, positionColumn } from '@prosa/contracts/published/columns'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import { type ParquetRow, parquetFile } from '@prosa/product/parquet/write-parquet'

type Chunks = AsyncIterable<readonly PublishedEvent[] | undefined>
type Pieces = AsyncGenerator<string | Uint8Array>

interface Format {
  contentType: string
  /** Whether it can follow the log, and be compressed on its way. */
  isText: boolean
  write(chunks: Chunks, columns: readonly EventColumn[]): Pieces
}

async function* ndjson(chunks: Chunks): Pieces {
  for await (const events of chunks)
    yield events ? `${events.map((event) => JSON.stringify(event)).join('\n')}\n` : '\n'
}

/** What a spreadsheet would compute (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const special = /[",\r\n]/

/** RFC 4180; text that begins as a formula gets an apostrophe. A position is our own text, and has to be sent back as it is. */
export const csvCell = (value: ReturnType<EventColumn['of']>, isOurs = false): string => {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = !isOurs && formula.test(value) ? `'${value}` : value
  if (text === '') return '""'
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

async function* csv(chunks: Chunks, columns: readonly EventColumn[]): Pieces {
  yield `${columns.map(({ name }) => name).join(',')}\r\n`
  const record = (event: PublishedEvent) =>
    columns.map((column) => csvCell(column.of(event), column === positionColumn)).join(',')
  for await (const events of chunks) if (events) yield `${events.map(record).join('\r\n')}\r\n`
}

async function* parquet(chunks: Chunks, columns: readonly EventColumn[]): Pieces {
  async function* rows(): AsyncGenerator<ParquetRow> {
    for await (const events of chunks) for (const event of events ?? []) yield rowOf(columns, event)
  }
  yield* parquetFile(columns, rows())
}

export const rowOf = (columns: readonly EventColumn[], event: PublishedEvent): ParquetRow => {
  const row: Record<string, ParquetRow[string]> = {}
  for (const { name, of } of columns) row[name] = of(event)
  return row
}

export const formats: Record<StreamFormat, Format> = {
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', isText: true, write: ndjson },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', isText: true, write: csv },
  parquet: { contentType: 'application/vnd.apache.parquet', isText: false, write: parquet },
}

/** Of one type a column for each field; of several `data` as JSON. */
export const columnsOf = (types: readonly string[], withPersonal: boolean): readonly EventColumn[] => {
  const [only, ...others] = types
  const columns = only !== undefined && others.length === 0 ? columnsOfType(only, { withPersonal }) : columnsOfAll
  return [...columns, positionColumn]
}
