import { systemClock } from '../../clock.ts'
import { eventCodec } from '../../event-store/codec.ts'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { openPool } from '../../postgres/pool.ts'
import { type Kind, subjects } from './consumer-subjects.ts'

/** Arguments: kind, database URL, lock silence in milliseconds. */
const [kind, databaseUrl = '', silence] = process.argv.slice(2)
const silenceMs = Number(silence)
const deps = {
  store: await postgresEventStore({ url: databaseUrl }),
  codec: eventCodec(),
  clock: systemClock,
  pool: openPool(databaseUrl, { idleTransactionMs: silenceMs }),
  databaseUrl,
  silenceMs,
}
await subjects[kind as Kind].run(deps, new AbortController().signal, new Map())
