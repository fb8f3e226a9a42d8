import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { runProjection } from '@prosa/kernel/consumers/projections/run-projection'
import { foldOfLog, storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { inBatches } from '@prosa/kernel/consumers/testing/in-batches'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/observability/log'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { analyticConnections } from '../analytics/connections/projection.ts'
import { analyticConversations } from '../analytics/conversations/projection.ts'
import { analyticMessages } from '../analytics/messages/projection.ts'
import { analyticSubscriptions } from '../analytics/subscriptions/projection.ts'
import { chatMessages } from '../chat-messages/projection.ts'
import { contactList } from '../contact-list/projection.ts'
import { contactVersions } from '../contact-list/versions/projection.ts'
import { messageSearch } from '../message-search/projection.ts'
import { fragilePool } from '../testing/fragile-pool.ts'
import { oneOfEachConnection, oneOfEachSubscription } from '../testing/one-of-each-account-event.ts'
import { oneOfEach, streamOf } from '../testing/one-of-each-event.ts'

/** Events to choose from, each for its stream. */
interface Events {
  of(messageId: string): readonly AnyEvent[]
  streamOf(id: string, event: AnyEvent): string
}

const ofContacts: Events = { of: oneOfEach, streamOf }
const ofConnections: Events = { of: () => oneOfEachConnection, streamOf: (id) => `connection-${id}` }
const ofAccounts: Events = { of: () => oneOfEachSubscription, streamOf: (id) => `subscription-${id}` }

const scenario = fc.record({
  log: fc.array(fc.record({ contact: fc.nat(2), message: fc.nat(4), chosen: fc.nat() }), {
    minLength: 1,
    maxLength: 60,
  }),
  batches: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
  breaks: fc.array(fc.record({ write: fc.integer({ min: 0, max: 120 }), isReceived: fc.boolean() }), { maxLength: 2 }),
  stopAfterEvents: fc.nat(60),
  /** Undefined: follows from an empty table, else rebuilds. */
  rowsInMemory: fc.oneof(fc.constant(undefined), fc.nat(8)),
})

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await kernelDatabase()
})
afterAll(() => postgres.drop())

let version = 0

const dropReadModel = async (pool: Pool, { name, table }: { name: string; table: { name: string } }) => {
  await pool.query('delete from checkpoint where name = $1', [name])
  await pool.query(`drop table if exists ${table.name}`)
}

const holds = <Row extends object>(projection: Projection<Row>, events = ofContacts) =>
  fc.asyncProperty(scenario, async ({ log, batches, breaks, stopAfterEvents, rowsInMemory }) => {
    const fresh = { ...projection, version: ++version }
    const { name, table } = fresh
    const { store, codec, append } = testLog()
    const positions = [beginning]
    for (const { contact, message, chosen } of log) {
      const all = events.of(`M${message}`)
      const event = all[chosen % all.length]
      if (!event) continue
      positions.push(await append(idOf('owner'), events.streamOf(idOf(`contact ${contact}`), event), event))
    }
    const end = positions.at(-1) ?? beginning
    const stopAt = positions[stopAfterEvents] ?? end

    await dropReadModel(postgres.pool, fresh)
    if (rowsInMemory !== undefined) await prepareReadModel(postgres.pool, { ...fresh, version: -version })
    const pool = fragilePool(postgres.url, breaks)
    const deps = {
      store: inBatches(store, batches),
      codec,
      pool,
      databaseUrl: postgres.url,
      log: silentLog(),
      clock: systemClock,
    }
    const stopping = new AbortController()
    const position = () => loadCheckpoint(postgres.pool, name, version)
    const first = runProjection(fresh, deps, stopping.signal, new Map())
    await until(async () => (await position()) >= stopAt)
    stopping.abort()
    await first

    const finishing = new AbortController()
    const second = runProjection(fresh, deps, finishing.signal, new Map())
    await until(async () => (await position()) === end)
    finishing.abort()
    await second
    await pool.end()

    expect(await storedRows(postgres.pool, table)).toEqual(await foldOfLog(fresh, { store, codec }, end))
  })

const settings = { numRuns: shortOrLong(4, 200), interruptAfterTimeLimit: shortOrLong(20_000, 600_000) }
const promise =
  'equals the fold of the log, however it is cut, built beside another version or not, wherever connections break'

it(`the contact list ${promise}`, () => fc.assert(holds(contactList), settings))
it(`every version of the contact list ${promise}`, () => fc.assert(holds(contactVersions), settings))
it(`every chat ${promise}`, () => fc.assert(holds(chatMessages), settings))
it(`the message search ${promise}`, () => fc.assert(holds(messageSearch), settings))
it(`analytic conversations ${promise}`, () => fc.assert(holds(analyticConversations), settings))
it(`analytic messages ${promise}`, () => fc.assert(holds(analyticMessages), settings))
it(`analytic connections ${promise}`, () => fc.assert(holds(analyticConnections, ofConnections), settings))
it(`analytic subscriptions ${promise}`, () => fc.assert(holds(analyticSubscriptions, ofAccounts), settings))
