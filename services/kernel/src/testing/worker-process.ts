import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { eventCodec } from '../event-store/codec.ts'
import { postgresEventStore } from '../event-store/postgres.ts'
import { silentLog } from '../observability/log.ts'
import { openPool } from '../postgres/pool.ts'
import { secretBox } from '../privacy/secret-box.ts'
import { namingReactor, runningReactor } from './running-reactor.ts'
import { runningTimers, trialsOf, trialTimers } from './running-timers.ts'

/**
 * Runs until killed. Arguments: database (with table `handled`), silence before a takeover. The idle second reactor shows how often
 * checkpoints are written.
 */
const [databaseUrl = '', silence] = process.argv.slice(2)
const silenceMs = Number(silence)
const store = await postgresEventStore({ url: databaseUrl })
const pool = openPool(databaseUrl, { idleTransactionMs: silenceMs })
const box = secretBox(randomBytes(32))
const deps = {
  ...{ store, pool, databaseUrl, box, silenceMs },
  codec: eventCodec(),
  clock: systemClock,
  log: silentLog(),
}

runningReactor(
  namingReactor('handler', async (who, name) => {
    // Time to freeze the process in between.
    await delay(2)
    await pool.query('insert into handled (who, name, handler) values ($1, $2, $3) on conflict do nothing', [
      who,
      name,
      process.pid,
    ])
  }),
  deps,
)
runningReactor(
  namingReactor('witness', async () => undefined),
  deps,
)
const trials = trialsOf(deps)
runningTimers(trialTimers('trials', trials.endBy), deps)
