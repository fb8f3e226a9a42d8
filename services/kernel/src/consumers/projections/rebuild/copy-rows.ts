import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { from } from 'pg-copy-streams'
import { maxTimeout } from '../../../postgres/without-timeout.ts'
import { columnName, fieldsOf, mayBeUnstorable, storable, type Table } from '../table.ts'

const chunkCharacters = 256 * 1024

export type Groups<Row> = Iterable<Iterable<Row>> | AsyncIterable<Iterable<Row>>

/** Fails as a whole on a duplicate key or a failing group. Occupies the connection. */
export const copyRows = async <Row extends object>(
  db: PoolClient,
  table: Table<Row>,
  groups: Groups<Row>,
): Promise<void> => {
  const fields = fieldsOf(table)
  const writers = fields.map((field) => [field, copyText(table.columns[field])] as const)
  const copy = from(`copy ${table.name} (${fields.map(columnName).join(', ')}) from stdin`)
  // Rows may take long to arrive.
  const untimed = Object.assign(copy, { query_timeout: maxTimeout })
  let failure: unknown
  const chunks = async function* () {
    try {
      yield* chunksOf(groups, writers)
    } catch (error) {
      failure = error
      // The message goes to the log of PostgreSQL, and ours may quote a row.
      throw new Error('the rows could not be made', { cause: error })
    }
  }
  try {
    await pipeline(chunks, db.query(untimed))
  } catch (error) {
    throw failure ?? error
  }
}

type Writer<Row> = readonly [keyof Row & string, (value: unknown) => string]

async function* chunksOf<Row extends object>(groups: Groups<Row>, writers: readonly Writer<Row>[]) {
  for await (const rows of groups)
    for (const chunk of chunksOfGroup(rows, writers)) {
      yield chunk
      // Yields to other work of the process.
      await setImmediate()
    }
}

function* chunksOfGroup<Row extends object>(rows: Iterable<Row>, writers: readonly Writer<Row>[]): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    let parting = ''
    for (const [field, write] of writers) {
      const value = row[field]
      chunk += parting + (isNull(value) ? '\\N' : write(value))
      parting = '\t'
    }
    chunk += '\n'
    if (chunk.length < chunkCharacters) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const special = /[\\\t\n\r\0\uD800-\uDFFF]/
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (text: string) => text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '')
const plainText = (text: string) => (special.test(text) ? escaped(storable(text)) : text)

const storableJson = (value: unknown): string => {
  const json = JSON.stringify(value)
  // JSON escapes all that PostgreSQL cannot store.
  if (!json.includes('\\') || !mayBeUnstorable.test(json)) return json
  return JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? storable(inner) : inner))
}

const jsonText = (value: unknown): string => {
  const json = storableJson(value)
  return json.includes('\\') ? escaped(json) : json
}

const scalarText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') throw new Error('a column that holds neither JSON nor an array was given an object')
  return String(value)
}

/** Quoted values, since a value may read like NULL or hold separators. */
const arrayText = (values: unknown): string => {
  if (!Array.isArray(values)) throw new Error('an array column was given no array')
  const elements = values.map((value: unknown) =>
    isNull(value) ? 'NULL' : `"${scalarText(value).replace(/[\\"]/g, '\\$&')}"`,
  )
  return `{${elements.join(',')}}`
}

/** As in the JSON of single rows. */
const isNull = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value))

/** `text[] not null`, but not `jsonb default '[]'` */
const arrayType = /^[\w ]+(\([\d, ]+\))?\[\]/

const copyText = (type: string): ((value: unknown) => string) => {
  if (arrayType.test(type)) return (values) => plainText(arrayText(values))
  if (/^jsonb?\b/.test(type)) return jsonText
  return (value) => plainText(scalarText(value))
}
