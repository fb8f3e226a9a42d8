import { setImmediate as iteration } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

/** `instant`: UTC, milliseconds. `json`: text that is JSON. `integer`: 64 bits. */
export type ParquetType = 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'uuid' | 'json'

export interface ParquetColumn {
  name: string
  type: ParquetType
}

/** By name of the column; null or absent: no value. Instants are ISO 8601 or milliseconds. */
export type ParquetRow = Readonly<Record<string, string | number | bigint | boolean | null | undefined>>

export interface ParquetOptions {
  /** Of a row group: what is in memory at a time, and what a reader can skip. */
  maxRows?: number
  maxCharacters?: number
  /** Of the encoder whose pieces, at least one, come first. */
  state?: string | undefined
  /** In the file's metadata. */
  notes?: Readonly<Record<string, string>>
}

/** Encoding a group takes the process: 10,000 events some 0.1 s. */
const usualRows = 10_000
const usualCharacters = 8 * 1024 * 1024

const elements: Record<ParquetType, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  instant: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
  uuid: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
}

const root = 'root'
const schemaOf = (columns: readonly ParquetColumn[]): SchemaElement[] => [
  { name: root, num_children: columns.length },
  ...columns.map(({ name, type }): SchemaElement => ({ ...elements[type], name, repetition_type: 'OPTIONAL' })),
]
/** hyparquet-writer would parse and print JSON again: it is written as text, and named in the metadata at the end. */
const named = (schema: readonly SchemaElement[], columns: readonly ParquetColumn[]): SchemaElement[] =>
  schema.map((element, index) =>
    columns[index - 1]?.type === 'json' ? { ...element, converted_type: 'JSON' } : element,
  )

const bigintOf = (value: string | number | bigint | boolean): bigint => {
  if (typeof value === 'string') return BigInt(Date.parse(value))
  return BigInt(value)
}

/** What hyparquet-writer takes. */
const cellOf = (type: ParquetType, value: ParquetRow[string]) => {
  if (value === null || value === undefined) return null
  return type === 'integer' || type === 'instant' ? bigintOf(value) : value
}

const charactersOf = (row: ParquetRow): number => {
  let characters = 0
  for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 8
  return characters
}

/** What was written since the last time. */
const taken = (writer: ByteWriter): Uint8Array => {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}

/** Its head stands in the file already. */
const goOn = (writer: ByteWriter, file: ParquetWriter, state: string) => {
  const { offset, groups } = deserialize(Buffer.from(state, 'base64'))
  Object.assign(file, groups)
  writer.index = 0
  writer.offset = offset
}

export interface ParquetEncoder {
  /** What is in memory until the next piece. */
  readonly waitingRows: number
  /** A piece of the file, once a row group is full. Throws for a value that is not of its column's type; the file is lost then. */
  add(row: ParquetRow): Uint8Array | undefined
  /** The waiting rows as a row group. */
  flush(): Uint8Array | undefined
  /** The last piece. */
  end(): Uint8Array
  /** Without the waiting rows, before the end: another encoder with it and the same columns goes on behind the pieces so far. */
  state(): string
}

/** A Parquet file (Snappy) for rows that come one by one: its pieces, one after the other, are the file. */
export const parquetEncoder = (
  columns: readonly ParquetColumn[],
  { maxRows = usualRows, maxCharacters = usualCharacters, notes = {}, state }: ParquetOptions = {},
): ParquetEncoder => {
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    kvMetadata: Object.entries(notes).map(([key, value]) => ({ key, value })),
    createdBy: 'Prosa',
  })
  if (state !== undefined) goOn(writer, file, state)
  let group: ParquetRow[] = []
  let characters = 0
  const flush = () => {
    if (group.length === 0) return undefined
    const columnData = columns.map(({ name, type }) => ({
      name,
      data: group.map((row) => cellOf(type, row[name])),
      // Bounds of JSON would be whole documents.
      statistics: type !== 'json',
    }))
    file.write({ columnData, rowGroupSize: group.length })
    group = []
    characters = 0
    return taken(writer)
  }
  return {
    get waitingRows() {
      return group.length
    },
    add(row) {
      group.push(row)
      characters += charactersOf(row)
      return group.length >= maxRows || characters >= maxCharacters ? flush() : undefined
    },
    flush,
    end() {
      const last = flush() ?? new Uint8Array()
      file.schema = named(file.schema, columns)
      file.finish()
      return Buffer.concat([last, taken(writer)])
    },
    state() {
      const { row_groups, num_rows, pendingIndexes } = file
      return serialize({ offset: writer.offset, groups: { row_groups, num_rows, pendingIndexes } }).toString('base64')
    },
  }
}

/** The same for rows that can be asked for, as pieces are taken. Without rows a valid file with the columns. */
export async function* parquetFile(
  columns: readonly ParquetColumn[],
  rows: AsyncIterable<ParquetRow> | Iterable<ParquetRow>,
  options: ParquetOptions = {},
): AsyncGenerator<Uint8Array> {
  const encoder = parquetEncoder(columns, options)
  for await (const row of rows) {
    const piece = encoder.add(row)
    if (!piece) continue
    yield piece
    await iteration()
  }
  yield encoder.end()
}
