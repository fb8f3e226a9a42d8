import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendRequest } from '@prosa/kernel/event-store/append-request'
import type { NewEvent } from '@prosa/kernel/event-store/port'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { type Measured, measure, median } from './measure.ts'
import { eventStoreUrl, openMeasuredLog } from './measured-log.ts'

/**
 * Appends of one event with revision check, by 1, 16 and 64 callers, against prepared one-row INSERTs. Rounds alternate; medians. Durable
 * cluster. With EVENTSTORE_URL against an EventStoreDB, beside the same INSERTs.
 */
const rounds = 5
const roundMs = 1500
const callerCounts = [1, 16, 64]
const rawPoolSize = 20

type Append = (stream: string, revision: number) => Promise<void>

const event = (): NewEvent => ({
  id: randomUUID(),
  type: 'OrderLineAdded',
  data: {
    orderId: 'order-2381',
    customer: 'customer-417',
    sku: 'SKU-112',
    quantity: 3,
    unitPriceCents: 1999,
    currency: 'BRL',
    note: 'some words of ordinary length to make the payload near two hundred bytes',
    at: '2026-01-01T00:00:00.000Z',
  },
  metadata: {
    causationId: randomUUID(),
    correlationId: randomUUID(),
    actor: { kind: 'user', id: 'user-17' },
    tenant: 'owner-3',
    schemaVersion: 1,
    recordedAt: '2026-01-01T00:00:00.000Z',
  },
})

const appends = (append: Append) => () => {
  let stream = ''
  let revision = 20
  return async () => {
    if (revision === 20) [stream, revision] = [`order-${randomUUID()}`, 0]
    await append(stream, revision++)
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
try {
  const pool = new pg.Pool({ connectionString: server.url, max: rawPoolSize })
  pool.on('error', (error) => {
    if (!pool.ending) throw error
  })
  await pool.query(`create table raw (
    position bigint generated always as identity primary key, stream text not null, revision bigint not null, id uuid not null,
    type text not null, data json not null, metadata json not null)`)
  const raw: Append = async (stream, revision) => {
    const { events } = appendRequest(stream, 'no_stream', [event()])
    const [{ id, type, data, metadata } = { id: '', type: '', data: '', metadata: '' }] = events
    const text = 'insert into raw (stream, revision, id, type, data, metadata) values ($1, $2, $3, $4, $5, $6)'
    await pool.query({ name: 'raw', text, values: [stream, revision, id, type, data, metadata] })
  }

  const store = await openMeasuredLog(server.url)
  const ours: Append = async (stream, revision) => {
    const result = await store.append(stream, revision === 0 ? 'no_stream' : BigInt(revision - 1), [event()])
    if (!result.ok || result.repeated) throw new Error('an append of the benchmark was not stored')
  }

  await measure(64, roundMs, appends(raw))
  await measure(64, roundMs, appends(ours))
  const runs: { callers: number; raw: Measured; ours: Measured }[] = []
  for (let round = 0; round < rounds; round++)
    for (const callers of callerCounts)
      runs.push({
        callers,
        raw: await measure(callers, roundMs, appends(raw)),
        ours: await measure(callers, roundMs, appends(ours)),
      })

  const settings = await pool.query(
    "select current_setting('fsync') f, current_setting('synchronous_commit') s, version() v",
  )
  const { f, s, v } = settings.rows[0]
  console.log(
    `Appends per second: ${v.split(' ').slice(0, 2).join(' ')}, fsync ${f}, synchronous_commit ${s}, node ${process.version}`,
  )
  console.log(
    `${rounds} rounds of ${roundMs} ms each; raw INSERT over ${rawPoolSize} connections, event store over ${eventStoreUrl ? 'at most 64 calls' : '1'}`,
  )
  console.table(
    callerCounts.map((callers) => {
      const of = runs.filter((run) => run.callers === callers)
      const ms = (pick: (run: (typeof of)[number]) => number) => Number(median(of.map(pick)).toFixed(2))
      return {
        callers,
        'raw INSERT /s': Math.round(median(of.map((run) => run.raw.rate))),
        'event store /s': Math.round(median(of.map((run) => run.ours.rate))),
        ratio: ms((run) => run.ours.rate / run.raw.rate),
        'raw p50 ms': ms((run) => run.raw.p50),
        'raw p99 ms': ms((run) => run.raw.p99),
        'store p50 ms': ms((run) => run.ours.p50),
        'store p99 ms': ms((run) => run.ours.p99),
      }
    }),
  )
  await store.close()
  await pool.end()
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
