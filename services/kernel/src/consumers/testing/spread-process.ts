import { randomBytes } from 'node:crypto'
import { systemClock } from '../../clock.ts'
import { eventCodec } from '../../event-store/codec.ts'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { silentLog } from '../../observability/log.ts'
import { openPool } from '../../postgres/pool.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { namingReactor, runningReactor } from '../../testing/running-reactor.ts'

/** Many reactors, until SIGTERM. Arguments: database (with table `reacted`), lock silence in milliseconds, number of reactors. */
const [databaseUrl = '', silence, count] = process.argv.slice(2)
const silenceMs = Number(silence)
const pool = openPool(databaseUrl, { idleTransactionMs: silenceMs })
const store = await postgresEventStore({ url: databaseUrl })
const deps = {
  ...{ store, pool, databaseUrl, silenceMs },
  box: secretBox(randomBytes(32)),
  codec: eventCodec(),
  clock: systemClock,
  log: silentLog(),
}

const running = Array.from({ length: Number(count) }, (_, index) => {
  const reactor = `spread ${index}`
  const react = async (who: string, name: string) => {
    const text = `insert into reacted (reactor, who, name, process) values ($1, $2, $3, $4) on conflict do nothing`
    await pool.query(text, [reactor, who, name, process.pid])
  }
  return runningReactor(namingReactor(reactor, react), deps)
})

process.once('SIGTERM', async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  await store.close()
  await pool.end()
  process.exit(0)
})
