import { systemClock } from '@prosa/kernel/clock'
import { followRebuildRequests } from '@prosa/kernel/consumers/projections/rebuild/rebuild-on-request'
import { runProjection } from '@prosa/kernel/consumers/projections/run-projection'
import { inBatches } from '@prosa/kernel/consumers/testing/in-batches'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { contactList } from '../contact-list/projection.ts'

/** Rebuilds slowly until killed. No version: on request; `silence`: time until a takeover. */
const [databaseUrl = '', version = '', rowsInMemory = '', silence] = process.argv.slice(2)
const store = inBatches(await postgresEventStore({ url: databaseUrl }), [7, 40, 1], silence === undefined ? 0 : 10)
const pool = openPool(databaseUrl)
const deps = {
  store,
  codec: eventCodec(),
  pool,
  databaseUrl,
  log: silentLog(),
  clock: systemClock,
  rowsInMemory: Number(rowsInMemory),
  silenceMs: silence === undefined ? undefined : Number(silence),
}
const { signal } = new AbortController()
const { requests } = followRebuildRequests([contactList.name], deps, signal)
await runProjection({ ...contactList, version: Number(version) }, { ...deps, requests }, signal, new Map())
