import { setImmediate } from 'node:timers/promises'
import type { Connection, PoolClient, Submittable } from 'pg'
import { longestTimeout } from '../../postgres/without-timeout.ts'
import { columnName, fieldsOf, mayBeUnstorable, storable, type Table } from './table.ts'

const chunkCharacters = 256 * 1024
const copyDataCode = 'd'.charCodeAt(0)
const copyDone = Buffer.from(['c'.charCodeAt(0), 0, 0, 0, 4])

/** Rows in groups of any size, which may still be in the making. */
export type Groups<Row> = Iterable<Iterable<Row>> | AsyncIterable<Iterable<Row>>

/**
 * Writes new rows with COPY, the fastest way into a table; a key that is there already fails the whole. Nothing else can be
 * done over the connection until the last group has come. Groups that fail cost the connection.
 */
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
      chunk += parting + (value === null || value === undefined ? '\\N' : write(value))
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

const jsonText = (value: unknown) => {
  const json = JSON.stringify(value)
  // What PostgreSQL cannot store begins with a backslash as well.
  if (!json.includes('\\')) return json
  if (!mayBeUnstorable.test(json)) return escaped(json)
  return escaped(JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? storable(inner) : inner)))
}

/** How values of a column are written: JSON, or what PostgreSQL reads from the value's text. */
const copyText = (type: string): ((value: unknown) => string) => {
  if (/^jsonb?\b/.test(type)) return jsonText
  return (value) => {
    if (typeof value === 'object') throw new Error(`a column of type ${type} was given an object`)
    return plainText(String(value))
  }
}

/** One COPY FROM STDIN, as the driver runs its own queries; the driver itself knows nothing of COPY. */
class CopyIn implements Submittable {
  /** Whoever reads the rows may take long to bring them. */
  readonly query_timeout = longestTimeout
  /** Set by the driver, which measures that time: it stops doing so when this is called. */
  callback: ((error?: unknown) => void) | undefined = undefined
  readonly text: string
  readonly chunks: () => AsyncIterable<string>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  settled = false

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
      // Half a table must not be taken for a whole one: without its connection PostgreSQL forgets all of it.
      connection.stream.destroy()
      this.handleError(error)
    })
  }

  async send({ stream }: Connection) {
    for await (const chunk of this.chunks()) {
      if (this.settled) return
      const isFlowing = stream.write(copyData(chunk))
      if (!isFlowing) await drained(stream)
      // Whoever else lives in this process has a turn after each chunk.
      await setImmediate()
    }
    if (!this.settled) stream.write(copyDone)
  }

  handleError(error: unknown) {
    this.settled = true
    this.callback?.()
    this.reject(error)
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
