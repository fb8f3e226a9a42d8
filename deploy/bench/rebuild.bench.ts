import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@prosa/kernel/clock'
import { newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import { takeOver } from '@prosa/kernel/consumers/engine/epochs'
import { projectionWorker } from '@prosa/kernel/consumers/projections/parking/parked-tenants'
import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import { rebuild } from '@prosa/kernel/consumers/projections/rebuild/rebuild'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { kernelMigrations } from '@prosa/kernel/migrations/kernel-migrations'
import { silentLog } from '@prosa/kernel/observability/log'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { openPool } from '@prosa/kernel/postgres/pool'
import { chatMessages } from '@prosa/projections/chat-messages/projection'
import { fillLog } from '@prosa/projections/testing/fill-log'
import type { Connection, PoolClient, Submittable } from 'pg'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

/**
 * Catch-up through `readAll` against `COPY … TO STDOUT`; rebuild of chat-messages against `COPY … FROM STDIN` of the same rows. Rounds
 * alternate; medians. Durable cluster.
 */
const events = Number(process.argv[2] ?? 200_000)
const rounds = 5

class Copy implements Submittable {
  readonly text: string
  readonly sent: readonly Buffer[]
  readonly received: (chunk: Buffer) => void
  readonly settle: (error?: unknown) => void

  constructor(
    text: string,
    sent: readonly Buffer[],
    received: (chunk: Buffer) => void,
    settle: (error?: unknown) => void,
  ) {
    this.text = text
    this.sent = sent
    this.received = received
    this.settle = settle
  }

  submit(connection: Connection) {
    connection.query(this.text)
  }
  async handleCopyInResponse({ stream }: Connection) {
    for (const chunk of this.sent)
      if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve))
    stream.write(Buffer.from([99, 0, 0, 0, 4]))
  }
  handleCopyData({ chunk }: { chunk: Buffer }) {
    this.received(chunk)
  }
  handleError(error: unknown) {
    this.settle(error)
  }
  handleCommandComplete() {
    // `handleReadyForQuery` follows.
  }
  handleReadyForQuery() {
    this.settle()
  }
}

const copy = (
  db: PoolClient,
  text: string,
  sent: readonly Buffer[] = [],
  received: (chunk: Buffer) => void = () => undefined,
) =>
  new Promise<void>((resolve, reject) => {
    db.query(new Copy(text, sent, received, (error) => (error ? reject(error) : resolve())))
  })

/** COPY messages of about 64 KB, built once and sent many times. */
const readyMessages = async (db: PoolClient, table: string): Promise<Buffer[]> => {
  const messages: Buffer[] = []
  let chunks: Buffer[] = []
  let bytes = 0
  const close = () => {
    const header = Buffer.alloc(5)
    header[0] = 100
    header.writeUInt32BE(4 + bytes, 1)
    messages.push(Buffer.concat([header, ...chunks]))
    chunks = []
    bytes = 0
  }
  await copy(db, `copy ${table} to stdout`, [], (chunk) => {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > 65_536) close()
  })
  if (bytes > 0) close()
  return messages
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
try {
  const pool = openPool(server.url)
  await migrate(server.url, [eventStoreMigrations, kernelMigrations])
  const store = await postgresEventStore({ url: server.url })
  const codec = eventCodec()
  const words = 'some words of ordinary length, as people write them to a business that they know'
  await fillLog(
    { store, codec },
    {
      events,
      tenant: idOf('owner'),
      streamOf: (contactId) => `chat-${contactId}`,
      eventOf: (_, revision) => ({
        type: 'MessageReceived',
        data: {
          messageId: `3EB0${String(revision).padStart(16, '0')}`,
          connectionId: idOf('line'),
          content: { kind: 'text', text: words },
          sentAt: at(revision),
        },
      }),
    },
  )
  await pool.query('vacuum analyze es.event')
  const db = await pool.connect()
  const { table } = chatMessages

  const readOut = async () => {
    let count = 0
    for await (const batch of store.readAll(beginning, chatMessages)) count += batch.events.length
    if (count !== events) throw new Error(`${count} events were read instead of ${events}`)
  }
  const readAndDecode = async () => {
    for await (const batch of store.readAll(beginning, chatMessages)) await codec.decode(batch.events)
  }
  const copyOut = () =>
    copy(
      db,
      'copy (select position, stream, revision, id, type, data, metadata from es.event order by position) to stdout',
    )
  let version = 0
  const rebuilt = async () => {
    const fresh = { ...chatMessages, version: ++version }
    const deps = { store, codec, pool, log: silentLog(), clock: systemClock }
    const worker = projectionWorker(fresh.name)
    const epoch = await takeOver(pool, worker)
    const until = new AbortController().signal
    const run = { epoch, status: newStatus(), until, onProgress: () => undefined }
    if (!(await rebuild(fresh, deps, run))) throw new Error('not rebuilt')
  }
  const copyIn = async (ready: readonly Buffer[], withIndex: boolean) => {
    await db.query(`drop table if exists ready; create table ready (like ${table.name} including defaults)`)
    await db.query('alter table ready add primary key (key)')
    if (withIndex) await db.query('create index on ready (contact_id, place)')
    return seconds(() => copy(db, 'copy ready from stdin', ready))
  }

  await prepareReadModel(pool, { ...chatMessages, version: 0 })
  await rebuilt()
  const { rows } = await pool.query(`select count(*)::int from ${table.name}`)
  if (rows[0]?.count !== events) throw new Error(`${rows[0]?.count} rows came of ${events} events`)
  const ready = await readyMessages(db, table.name)
  await readOut()
  await copyOut()

  const runs: Record<'out' | 'read' | 'decoded' | 'bare' | 'build' | 'indexed', number>[] = []
  for (let round = 0; round < rounds; round++) {
    const out = await seconds(copyOut)
    const read = await seconds(readOut)
    const decoded = await seconds(readAndDecode)
    const bare = await copyIn(ready, false)
    const build = await seconds(rebuilt)
    const indexed = await copyIn(ready, true)
    runs.push({ out, read, decoded, bare, build, indexed })
  }
  const rate = (pick: (run: (typeof runs)[number]) => number) => Math.round(events / median(runs.map(pick)))
  const ratio = (pick: (run: (typeof runs)[number]) => number) => Number(median(runs.map(pick)).toFixed(2))
  console.log(`${events} events, ${rounds} rounds, node ${process.version}`)
  console.table([
    { what: 'COPY TO STDOUT', 'events/s': rate((run) => run.out) },
    { what: 'readAll', 'events/s': rate((run) => run.read), 'of COPY TO': ratio((run) => run.out / run.read) },
    {
      what: 'readAll and decode',
      'events/s': rate((run) => run.decoded),
      'of COPY TO': ratio((run) => run.out / run.decoded),
    },
    { what: 'COPY FROM, key', 'events/s': rate((run) => run.bare) },
    { what: 'COPY FROM, key and index', 'events/s': rate((run) => run.indexed) },
    {
      what: 'rebuild',
      'events/s': rate((run) => run.build),
      'of COPY FROM, key': ratio((run) => run.bare / run.build),
      'of COPY FROM, key and index': ratio((run) => run.indexed / run.build),
    },
  ])
  db.release()
  await store.close()
  await pool.end()
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
