import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { systemClock } from '@prosa/kernel/clock'
import { newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import { takeOver } from '@prosa/kernel/consumers/engine/epochs'
import { projectionWorker } from '@prosa/kernel/consumers/projections/parking/parked-tenants'
import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { rebuild } from '@prosa/kernel/consumers/projections/rebuild/rebuild'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { deriveId } from '@prosa/kernel/derive-id'
import { eventCodec, type Stored } from '@prosa/kernel/event-store/codec'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { kernelMigrations } from '@prosa/kernel/migrations/kernel-migrations'
import { silentLog } from '@prosa/kernel/observability/log'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { openPool } from '@prosa/kernel/postgres/pool'
import { connections } from '@prosa/projections/connections/projection'
import { contactList } from '@prosa/projections/contact-list/projection'
import {
  countContactsThen,
  findContactsThen,
  findContactThen,
} from '@prosa/projections/contact-list/versions/contacts-then'
import { contactVersions } from '@prosa/projections/contact-list/versions/projection'
import { foldEvents } from '@prosa/projections/moments/read-up-to'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { quantile } from './measure.ts'

/**
 * First page of the waiting, counts and one contact at random moments, against a rebuild of the list up to that position: the log is read, decoded and
 * folded. Each moment is compared with its rebuild while it is timed. Versions through the projection. Durable cluster.
 */
const contacts = Number(process.argv[2] ?? 2000)
const moments = Number(process.argv[3] ?? 100)
const rounds = 10
const pageLength = 50
const tenant = idOf('owner')
const callers = 32

const connectionId = idOf('line')
const eventsOfRound = (round: number): { category: string; events: AnyEvent[] }[] => [
  ...(round === 0
    ? [
        {
          category: 'contact',
          events: [
            { type: 'ContactAdded', data: { name: 'Bia Lima', phone: null, lid: null, origin: 'message' } } as const,
          ],
        },
      ]
    : [{ category: 'contact', events: [{ type: 'ConversationReopened', data: {} } as const] }]),
  {
    category: 'chat',
    events: [0, 1, 2].map((index) => ({
      type: 'MessageReceived',
      data: {
        messageId: `M${round}-${index}`,
        connectionId,
        content: { kind: 'text', text: 'Vocês ainda têm pão de queijo hoje? Levo duas dúzias.' },
        sentAt: at(round * 60 + index),
      },
    })),
  },
  { category: 'contact', events: [{ type: 'ConversationAccepted', data: { attendantId: tenant } }] },
  { category: 'contact', events: [{ type: 'ConversationResolved', data: { attendantId: tenant } }] },
]

const timed = async <Result>(work: () => Promise<Result>) => {
  const began = performance.now()
  const result = await work()
  return { ms: performance.now() - began, result }
}

const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder })
try {
  await migrate(postgres.url, [eventStoreMigrations, kernelMigrations])
  const pool = openPool(postgres.url)
  const store = await postgresEventStore({ url: postgres.url })
  const codec = eventCodec()
  let recorded = 0
  const positions: Position[] = []

  const fillContact = async (contact: string, round: number, lengths: Map<string, number>) => {
    for (const { category, events } of eventsOfRound(round)) {
      const stream = `${category}-${contact}`
      const length = lengths.get(stream) ?? 0
      const identified = events.map((event, index) => {
        const id = deriveId('filling', stream, length + index)
        const actor = { kind: 'system', id: 'bench' } as const
        const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: at(recorded++) }
        return { id, stream, event, metadata }
      })
      const expected = length === 0 ? 'no_stream' : BigInt(length - 1)
      const result = await store.append(stream, expected, await codec.encode(identified))
      if (!result.ok) throw new Error(`${stream} has other events`)
      lengths.set(stream, length + events.length)
      positions.push(result.position)
    }
  }
  /** Conversations side by side: a moment has some of each status. */
  let next = 0
  const fill = async () => {
    while (next < contacts) {
      const contact = idOf(`contact ${next++}`)
      const lengths = new Map<string, number>()
      for (let round = 0; round < rounds; round++) await fillContact(contact, round, lengths)
    }
  }
  await Promise.all(Array.from({ length: callers }, fill))

  const build = async <Row extends object>(projection: Projection<Row>) => {
    await prepareReadModel(pool, { ...projection, version: 0 })
    const epoch = await takeOver(pool, projectionWorker(projection.name))
    const run = { epoch, status: newStatus(), until: new AbortController().signal, onProgress: () => undefined }
    const deps = { store, codec, pool, log: silentLog(), clock: systemClock }
    if (!(await rebuild(projection, deps, run))) throw new Error(`${projection.name} was not built`)
  }
  await build(connections)
  const versionsBuilt = await timed(() => build(contactVersions))
  await pool.query('vacuum analyze es.event')
  await pool.query('vacuum analyze contact_version')

  const rebuiltTo = async (moment: Position) => {
    const events: Stored[] = []
    for await (const batch of store.readAll(beginning, contactList)) {
      events.push(...(await codec.decode(batch.events.filter(({ position }) => position <= moment))))
      if (batch.upTo >= moment) break
    }
    return foldEvents(contactList, events)
  }

  const times: Record<'list' | 'counts' | 'contact' | 'rebuild', number[]> = {
    list: [],
    counts: [],
    contact: [],
    rebuild: [],
  }
  const past = { store, codec, pool }
  for (let index = 0; index < moments; index++) {
    const moment = positions[Math.floor(Math.random() * positions.length)]
    if (moment === undefined) throw new Error('nothing was recorded')
    const asked = { tenant, moment }
    const expected = await timed(() => rebuiltTo(moment))
    const rows = [...expected.result.values()]
    const someone = rows[Math.floor(Math.random() * rows.length)]?.id ?? ''
    const list = await timed(() => findContactsThen(past, { ...asked, limit: pageLength }))
    const counts = await timed(() => countContactsThen(past, asked))
    const contact = await timed(() => findContactThen(past, tenant, moment, someone))
    const byActivity = rows.toSorted((one, other) =>
      `${one.lastActivity}${one.id}` > `${other.lastActivity}${other.id}` ? -1 : 1,
    )
    const countOf = (status: string) => rows.filter(({ serviceStatus }) => serviceStatus === status).length
    const shown = {
      ids: list.result.map(({ id, serviceStatus, name }) => [id, serviceStatus, name]),
      counts: counts.result,
      contact: contact.result?.serviceStatus,
    }
    const wanted = {
      ids: byActivity.slice(0, pageLength).map(({ id, serviceStatus, name }) => [id, serviceStatus, name]),
      counts: { waiting: countOf('waiting'), attending: countOf('attending'), resolved: countOf('resolved') },
      contact: expected.result.get(someone)?.serviceStatus,
    }
    if (!isDeepStrictEqual(shown, wanted))
      throw new Error(`at ${moment}: ${JSON.stringify(shown)} instead of ${JSON.stringify(wanted)}`)
    for (const [name, { ms }] of Object.entries({ list, counts, contact, rebuild: expected }))
      times[name as keyof typeof times].push(ms)
  }
  const { rows } = await pool.query(
    `select count(*)::int as versions, pg_total_relation_size('contact_version') as bytes from contact_version where not is_latest`,
  )
  console.log(
    `${recorded} events, ${contacts} contacts, ${rows[0].versions} versions in ${(rows[0].bytes / 1e6).toFixed(0)} MB, built in ${(versionsBuilt.ms / 1000).toFixed(1)} s; ${moments} random moments, each equal to its rebuild; load ${loadavg()[0]?.toFixed(0)}`,
  )
  console.table(
    Object.entries(times).map(([what, all]) => ({
      what,
      'p50 ms': Number(quantile(all, 0.5).toFixed(1)),
      'p99 ms': Number(quantile(all, 0.99).toFixed(1)),
      'of the rebuild': Number((quantile(all, 0.5) / quantile(times.rebuild, 0.5)).toFixed(3)),
    })),
  )
  await store.close()
  await pool.end()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
