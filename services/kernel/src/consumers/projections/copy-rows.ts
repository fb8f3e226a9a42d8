import { setImmediate } from 'node:timers/promises'
import type { Connection, PoolClient, Submittable } from 'pg'
import { maxTimeout } from '../../postgres/without-timeout.ts'
import { columnName, fieldsOf, mayBeUnstorable, storable, type Table } from './table.ts'

const chunkCharacters = 256 * 1024
const copyDataCode = 'd'.charCodeAt(0)
const copyDone = Buffer.from(['c'.charCodeAt(0), 0, 0, 0, 4])
const copyFail = Buffer.from(['f'.charCodeAt(0), 0, 0, 0, 5, 0])

export type Groups<Row> = Iterable<Iterable<Row>> | AsyncIterable<Iterable<Row>>

/** Fails as a whole on a duplicate key or a failing group. Occupies the connection. */
export const copyRows = <Row extends object>(db: PoolClient, table: Table<Row>, groups: Groups<Row>): Promise<void> => {
  const fields = fieldsOf(table)
  const writers = fields.map((field) => [field, copyText(table.columns[field])] as const)
  const text = `copy ${table.name} (${fields.map(columnName).join(', ')}) from stdin`
  return new Promise((resolve, reject) => {
    db.query(new CopyIn(text, () => chunksOf(groups, writers), resolve, reject))
  })
}

type Writer<Row> = readonly [keyof Row & string, (value: unknown) => string]

async function* chunksOf<Row extends object>(groups: Groups<Row>, writers: readonly Writer<Row>[]) {
  for await (const rows of groups) yield* chunksOfGroup(rows, writers)
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

/** The driver has no COPY. */
class CopyIn implements Submittable {
  /** Rows may take long to arrive. */
  readonly query_timeout = maxTimeout
  /** Set by the driver; calling it stops the time-out. */
  callback: ((error?: unknown) => void) | undefined = undefined
  readonly text: string
  readonly chunks: () => AsyncIterable<string>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  settled = false
  failure: unknown

  constructor(
    text: string,
    chunks: () => AsyncIterable<string>,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.text = text
    this.chunks = chunks
    this.resolve = resolve
    this.reject = reject
  }

  submit(connection: Connection) {
    connection.query(this.text)
  }

  handleCopyInResponse(connection: Connection) {
    this.send(connection).catch((error) => {
      this.failure = error
      // Rolls back: half a table must not look complete.
      if (!this.settled) connection.stream.write(copyFail)
    })
  }

  async send({ stream }: Connection) {
    for await (const chunk of this.chunks()) {
      if (this.settled) return
      const isFlowing = stream.write(copyData(chunk))
      if (!isFlowing) await drained(stream)
      // Yields to other work of the process.
      await setImmediate()
    }
    if (!this.settled) stream.write(copyDone)
  }

  handleError(error: unknown) {
    this.settled = true
    this.callback?.()
    this.reject(this.failure ?? error)
  }

  handleCommandComplete() {
    this.settled = true
  }

  handleReadyForQuery() {
    this.callback?.()
    this.resolve()
  }
}

const copyData = (chunk: string): Buffer => {
  const length = Buffer.byteLength(chunk)
  const message = Buffer.allocUnsafe(5 + length)
  message[0] = copyDataCode
  message.writeUInt32BE(4 + length, 1)
  message.write(chunk, 5)
  return message
}

const drained = (stream: Connection['stream']) =>
  new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
    if (stream.destroyed) done()
  })
