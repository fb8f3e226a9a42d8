import type { Pool, PoolClient } from 'pg'
import { later } from '../clock.ts'
import { correlated } from '../observability/correlation.ts'
import type { Ports } from '../ports.ts'
import { listen } from '../postgres/listen.ts'
import { openPool, transaction } from '../postgres/pool.ts'
import { announceParked } from '../reactors/announce-parked.ts'
import { forgetClaim } from '../reactors/effect-queries.ts'
import { failureOf, isFinal, passes } from '../reactors/failure.ts'
import { parkedWorkHandler, parkedWorkId, workerContext } from '../reactors/parked-work.ts'
import {
  clearEffect,
  deleteParked,
  type Failure,
  findParked,
  type ParkedRow,
  parkedOf,
  upsertParked,
} from '../reactors/queries.ts'
import { passingPause, pauseUntil, triesWithinAMinute } from '../reactors/try-often.ts'
import {
  type ClaimedTimer,
  claimDue,
  deleteParkedTimer,
  deleteTimers,
  nextDue,
  parkTimer,
  postpone,
  unparkTimer,
} from './queries.ts'
import { timerChannel } from './table.ts'
import { type TimerKind, timerWorker } from './timer.ts'

export interface FireTimersDeps extends Pick<Ports, 'store' | 'codec' | 'clock' | 'pool' | 'databaseUrl' | 'log'> {
  box: Pick<Ports['box'], 'fingerprint'>
  /** Milliseconds between the tries of a timer that may be at fault itself; after the last one it is parked. */
  pauses?: readonly number[]
  /** How long a claim outlives the last word from a process that is frozen; see `openPool`. Only tests change it. */
  silenceMilliseconds?: number
}

const timersPerClaim = 100
const claimsAtOnce = 4
/** Finds what no wake-up told of: a crash elsewhere, a clock that was set. */
const pollMilliseconds = 500

type Fired = { timer: ClaimedTimer } & (
  | { isDone: true }
  | { isDone: false; tryInMilliseconds: number; attempts: number }
  | { isDone: false; failure: Failure }
)

/**
 * Fires what is due, of all kinds that this process knows, until the signal aborts. Any number of processes share the work. A
 * claim is a row lock of an open transaction: a process that dies loses it at once, and another fires within half a second.
 * Timers are tried again as reactors try, and parked in the end.
 */
export const fireTimers = async (
  kinds: readonly TimerKind[],
  {
    store,
    codec,
    clock,
    pool,
    databaseUrl,
    box,
    log,
    pauses = triesWithinAMinute,
    silenceMilliseconds,
  }: FireTimersDeps,
  signal: AbortSignal,
): Promise<void> => {
  if (kinds.length === 0) return
  const byKind = new Map(kinds.map((each) => [each.kind, each]))
  const names = [...byKind.keys()]
  const works = parkedWorkHandler({ store, codec, clock })
  const troubled = (error: unknown) => log.warn({ err: error }, 'timers interrupted')
  // Claims keep connections of their own while timers fire: the handlers need those of the shared pool.
  const claims: Pool = openPool(databaseUrl, {
    max: claimsAtOnce,
    onError: troubled,
    idleTransactionMilliseconds: silenceMilliseconds,
  })

  const fire = async (timer: ClaimedTimer): Promise<Fired> => {
    try {
      await byKind.get(timer.kind)?.fire(timer)
      return { timer, isDone: true }
    } catch (error) {
      const { kind, eventId, attempts } = timer
      log.error({ timer: kind, event: eventId, err: error }, 'timer failed')
      if (passes(error)) return { timer, isDone: false, tryInMilliseconds: passingPause(attempts), attempts }
      const tryInMilliseconds = pauses[attempts]
      if (tryInMilliseconds === undefined || isFinal(error))
        return { timer, isDone: false, failure: failureOf(error, attempts + 1) }
      return { timer, isDone: false, tryInMilliseconds, attempts: attempts + 1 }
    }
  }

  const resume = async (db: PoolClient, workId: string) => {
    const row = await findParked(db, workId)
    if (row)
      await works(
        workId,
        { type: 'ResumeWork', data: { parkingId: row.parkingId } },
        workerContext(row.worker, row.parkingId),
      )
    await deleteParked(db, [workId])
  }

  const keepDone = async (db: PoolClient, done: readonly ClaimedTimer[]) => {
    for (const kind of names) {
      const keys = done.filter((timer) => timer.kind === kind).map(({ key }) => key)
      if (keys.length > 0) await deleteTimers(db, kind, keys)
    }
    for (const { workId } of done) if (workId !== null) await resume(db, workId)
  }

  const keep = async (db: PoolClient, fired: readonly Fired[]) => {
    await keepDone(
      db,
      fired.flatMap(({ timer, isDone }) => (isDone ? timer : [])),
    )
    for (const outcome of fired) {
      if (outcome.isDone) continue
      const { timer } = outcome
      if ('failure' in outcome) {
        const worker = timerWorker(timer.kind)
        const id = parkedWorkId(box, worker, timer.key)
        await parkTimer(db, timer, id)
        await upsertParked(db, id, worker, { id: timer.eventId, position: null }, outcome.failure, clock.now())
      } else await postpone(db, timer, later(clock.now(), outcome.tryInMilliseconds), outcome.attempts)
    }
  }

  const decide = async (row: ParkedRow) => {
    await announceParked({ pool, works }, row)
    if (row.request === null) return
    await transaction(pool, async (db) => {
      if (row.request === 'release') {
        await deleteParkedTimer(db, row.id)
        await deleteParked(db, [row.id])
      } else if ((await unparkTimer(db, row.id, clock.now())) && row.effectId !== null) {
        await forgetClaim(db, row.effectId)
        await clearEffect(db, row.id)
      }
    })
  }
  const attend = async () => {
    for (const row of await parkedOf(pool, names.map(timerWorker))) await decide(row)
  }

  let hasNews = false
  let rouse: () => void = () => undefined
  const wake = () => {
    hasNews = true
    rouse()
  }
  const sleep = async (milliseconds: number) => {
    if (hasNews || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  signal.addEventListener('abort', wake, { once: true })
  listen(databaseUrl, timerChannel, wake, signal)

  const inFlight = new Set<Promise<void>>()

  /** Claims what is due and lets it fire; answers how many timers that is before they have fired. */
  const claim = () =>
    new Promise<number>((resolve, reject) => {
      let claimed = 0
      const batch = transaction(claims, async (db) => {
        const due = await claimDue(db, names, clock.now(), timersPerClaim)
        claimed = due.length
        resolve(claimed)
        const firing = due.map((timer) => correlated(timer.correlationId, () => fire(timer)))
        await keep(db, await Promise.all(firing))
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

  const untilNext = async (): Promise<number> => {
    const now = clock.now()
    const next = await nextDue(pool, names, now)
    return next === undefined ? pollMilliseconds : Math.min(pollMilliseconds, Date.parse(next) - Date.parse(now))
  }

  for (let failures = 0; !signal.aborted; ) {
    try {
      hasNews = false
      await attend()
      const claimed = inFlight.size < claimsAtOnce ? await claim() : 0
      failures = 0
      if (claimed === 0) await sleep(await untilNext())
    } catch (error) {
      if (signal.aborted) break
      troubled(error)
      await pauseUntil(passingPause(failures++), signal)
    }
  }
  await Promise.all(inFlight)
  await claims.end()
}
