import type { Pool } from 'pg'
import { concurrencyLimit } from '../../async/concurrency-limit.ts'
import { repeat } from '../../async/retry.ts'
import { wakeSignal } from '../../async/wake-signal.ts'
import type { Clock } from '../../clock.ts'
import type { Codec } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/port.ts'
import { correlated } from '../../observability/correlation.ts'
import type { Logger } from '../../observability/log.ts'
import { listen } from '../../postgres/listen.ts'
import { openPool, transaction } from '../../postgres/pool.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import { decisionsAtOnce } from '../decisions-at-once.ts'
import { parkedWorkHandler } from '../engine/parked-work.ts'
import { pausesWithinAMinute, transientPauseMs } from '../engine/retry-work.ts'
import { attendParked, fireTimer, keepFired } from './fire-claimed.ts'
import { claimDue, nextDue } from './queries.ts'
import { timerChannel } from './table.ts'
import type { TimerKind } from './timer.ts'

export interface FireTimersDeps {
  store: EventStore
  codec: Codec
  clock: Clock
  pool: Pool
  databaseUrl: string
  log: Logger
  box: Pick<SecretBox, 'fingerprint'>
  /** Backoff in milliseconds; then the timer is parked. */
  pauses?: readonly number[]
  /** Claim time-out of a frozen process, see `openPool`; only tests change it. */
  silenceMs?: number | undefined
}

const timersPerClaim = 100
const claimsAtOnce = 4
/** Finds work without a signal: a crash elsewhere, a changed clock. */
const pollMs = 500

/** Processes share the timers. A claim is a row lock: a dead process loses it and another fires within 500 ms. */
export const fireTimers = async (
  kinds: readonly TimerKind[],
  deps: FireTimersDeps,
  signal: AbortSignal,
): Promise<void> => {
  if (kinds.length === 0) return
  const { store, codec, clock, pool, databaseUrl, log, silenceMs } = deps
  const names = kinds.map(({ kind }) => kind)
  const works = parkedWorkHandler({ store, codec, clock })
  const troubled = (error: unknown) => log.warn({ err: error }, 'timers interrupted')
  const waking = wakeSignal()
  listen(databaseUrl, timerChannel, waking.wake, signal)
  // Own connections for claims: handlers need the shared pool.
  const claims: Pool = openPool(databaseUrl, {
    max: claimsAtOnce,
    onError: troubled,
    idleTransactionMs: silenceMs,
  })
  const claimed = claimer(kinds, deps, { claims, works, troubled, wake: waking.wake })

  const step = async () => {
    await attendParked(names, { pool, works, clock })
    const taken = claimed.inFlight.size < claimsAtOnce ? await claimed.claim() : 0
    if (taken === 0) await waking.wait(await untilNext(pool, names, clock), signal)
  }
  await repeat(step, {
    signal,
    pauseAfter: (failures) => (failures === 0 ? 0 : transientPauseMs(failures - 1)),
    onFailure: (error) => {
      if (!signal.aborted) troubled(error)
    },
  })
  await Promise.all(claimed.inFlight)
  await claims.end()
}

interface Claiming {
  claims: Pool
  works: ReturnType<typeof parkedWorkHandler>
  troubled: (error: unknown) => void
  wake: () => void
}

const claimer = (
  kinds: readonly TimerKind[],
  { clock, box, log, pauses = pausesWithinAMinute }: FireTimersDeps,
  { claims, works, troubled, wake }: Claiming,
) => {
  const byKind = new Map(kinds.map((each) => [each.kind, each]))
  const inFlight = new Set<Promise<void>>()
  const limit = concurrencyLimit({ atOnce: decisionsAtOnce })

  const claim = () =>
    new Promise<number>((resolve, reject) => {
      let claimed = 0
      const batch = transaction(claims, async (db) => {
        const due = await claimDue(db, [...byKind.keys()], clock.now(), timersPerClaim)
        claimed = due.length
        resolve(claimed)
        const fire = (timer: (typeof due)[number]) => fireTimer(timer, byKind.get(timer.kind), { log, pauses })
        const firing = due.map((timer) => limit.run(() => correlated(timer.correlationId, () => fire(timer))))
        await keepFired(db, await Promise.all(firing), { works, clock, box })
      })
      const settled = batch
        .then(
          () => claimed > 0 && wake(),
          (error: unknown) => {
            troubled(error)
            reject(error)
          },
        )
        .then(() => void inFlight.delete(settled))
      inFlight.add(settled)
    })

  return { claim, inFlight }
}

const untilNext = async (pool: Pool, kinds: readonly string[], clock: Clock): Promise<number> => {
  const now = clock.now()
  const next = await nextDue(pool, kinds, now)
  return next === undefined ? pollMs : Math.min(pollMs, Date.parse(next) - Date.parse(now))
}
