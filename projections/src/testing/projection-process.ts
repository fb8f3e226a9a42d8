import { systemClock } from '@prosa/kernel/clock'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { contactList } from '../contact-list/projection.ts'
import { runProjection } from '../runner/run-projection.ts'
import { inBatches } from './in-batches.ts'

/** Keeps the contact list over the database of the first argument, in many small batches, until it is killed. */
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
