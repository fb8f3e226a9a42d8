import { systemClock } from '@prosa/kernel/clock'
import { runProjection } from '@prosa/kernel/consumers/projections/run-projection'
import { inBatches } from '@prosa/kernel/consumers/testing/in-batches'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { contactList } from '../contact-list/projection.ts'

/** Runs until killed. */
const databaseUrl = process.argv[2] ?? ''
const store = inBatches(await postgresEventStore({ url: databaseUrl }), [3, 11, 1, 6])
const deps = {
  store,
  codec: eventCodec(),
  pool: openPool(databaseUrl),
  databaseUrl,
  log: silentLog(),
  clock: systemClock,
}
await runProjection(contactList, deps, new AbortController().signal, new Map())
