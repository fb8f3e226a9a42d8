import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { eventCodec } from '../event-store/codec.ts'
import { postgresEventStore } from '../event-store/postgres.ts'
import { silentLog } from '../log.ts'
import { openPool } from '../postgres/pool.ts'
import { secretBox } from '../privacy/secret-box.ts'
import { namingReactor, runningReactor } from './running-reactor.ts'
import { runningTimers, trialsOf, trialTimers } from './running-timers.ts'

/**
 * A process with a reactor and a kind of timers, until it is killed. Arguments: the database with a table `told`, and
 * the silence after which another process takes over. What the reactor causes is a row for each event, once; what the
 * timers do, an event.
 */
const [databaseUrl = '', silence] = process.argv.slice(2)
const silenceMilliseconds = Number(silence)
const store = await postgresEventStore({ url: databaseUrl })
const pool = openPool(databaseUrl, { idleTransactionMilliseconds: silenceMilliseconds })
const box = secretBox(randomBytes(32))
const deps = {
  ...{ store, pool, databaseUrl, box, silenceMilliseconds },
  codec: eventCodec(),
  clock: systemClock,
  log: silentLog(),
}

runningReactor(
  namingReactor('teller', async (who, name) => {
    // Long enough that the process is frozen in the middle of it.
    await delay(2)
    await pool.query('insert into told (who, name, teller) values ($1, $2, $3) on conflict do nothing', [
      who,
      name,
      process.pid,
    ])
  }),
  deps,
)
const trials = trialsOf(deps)
runningTimers(trialTimers('trials', trials.endBy), deps)
