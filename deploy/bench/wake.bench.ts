import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beginning, type EventStore, type NewEvent } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

/**
 * From `append` to a live subscriber, in the same process and behind another store, against an in-process signal. Medians; rounds
 * alternate; durable cluster.
 */
const rounds = 7
const appendsPerRound = 150
const pauseMs = 6

const event = (): NewEvent => ({
  id: randomUUID(),
  type: 'OrderLineAdded',
  data: {
    sku: 'SKU-112',
    quantity: 3,
    note: 'some words of ordinary length to make the payload near two hundred bytes',
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

const quantile = (values: readonly number[], share: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
const median = (values: readonly number[]) => quantile(values, 0.5)

const arrivals = () => {
  const waiting = new Map<string, (arrivedAt: number) => void>()
  return {
    arrive: (id: string) => {
      waiting.get(id)?.(performance.now())
      waiting.delete(id)
    },
    arrival: (id: string) => new Promise<number>((resolve) => waiting.set(id, resolve)),
  }
}

type Arrivals = ReturnType<typeof arrivals>

const follow = async (store: EventStore, { arrive }: Arrivals, signal: AbortSignal) => {
  const isLive = new AbortController()
  const running = (async () => {
    for await (const { events, live } of store.subscribe(beginning, { categories: ['order'] }, signal)) {
      for (const { id } of events) arrive(id)
      if (live) isLive.abort()
    }
  })()
  while (!isLive.signal.aborted) await delay(5)
  return { running }
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
try {
  await migrate(server.url, [eventStoreMigrations])
  const store = await postgresEventStore({ url: server.url })
  const another = await postgresEventStore({ url: server.url })
  const stopping = new AbortController()
  const [signalled, same, other] = [arrivals(), arrivals(), arrivals()]
  const followers = [await follow(store, same, stopping.signal), await follow(another, other, stopping.signal)]

  const measure = async ({ arrival }: Arrivals, afterAck?: (id: string) => void) => {
    const delays: number[] = []
    for (let count = 0; count < appendsPerRound; count++) {
      const appended = event()
      const arrived = arrival(appended.id)
      const sent = performance.now()
      await store.append(`order-${randomUUID()}`, 'no_stream', [appended])
      afterAck?.(appended.id)
      delays.push((await arrived) - sent)
      await delay(pauseMs * (0.5 + Math.random()))
    }
    return { p50: median(delays), p99: quantile(delays, 0.99) }
  }
  const ways = {
    'in-process signal': () => measure(signalled, signalled.arrive),
    'subscriber, same process': () => measure(same),
    'subscriber, another process': () => measure(other),
  }

  for (const way of Object.values(ways)) await way()
  const runs: { what: string; round: number; p50: number; p99: number }[] = []
  for (let round = 0; round < rounds; round++)
    for (const [what, way] of Object.entries(ways)) runs.push({ what, round, ...(await way()) })

  const signalOf = (round: number) => runs.find((run) => run.round === round)?.p50 ?? Number.NaN
  console.log(
    `${rounds} rounds of ${appendsPerRound} appends each, node ${process.version}; milliseconds from the call`,
  )
  console.table(
    Object.keys(ways).map((what) => {
      const own = runs.filter((run) => run.what === what)
      return {
        what,
        p50: Number(median(own.map(({ p50 }) => p50)).toFixed(2)),
        p99: Number(median(own.map(({ p99 }) => p99)).toFixed(2)),
        'times the signal': Number(median(own.map(({ round, p50 }) => p50 / signalOf(round))).toFixed(2)),
      }
    }),
  )
  stopping.abort()
  await Promise.all(followers.map(({ running }) => running))
  await another.close()
  await store.close()
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
