import type { Pool, PoolClient } from 'pg'
import { type Clock, later } from '../../clock.ts'
import type { Logger } from '../../observability/log.ts'
import { workInProgress } from '../../observability/work-in-progress.ts'
import { transaction } from '../../postgres/pool.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import { announceParked } from '../engine/announce-parked.ts'
import { forgetClaim } from '../engine/effect-queries.ts'
import { failureOf, isFinal, isTransient } from '../engine/failure.ts'
import {
  clearEffect,
  deleteParked,
  type Failure,
  findParked,
  type ParkedRow,
  parkedOf,
  upsertParked,
} from '../engine/parked-queries.ts'
import { type ParkedWorkHandler, parkedWorkId, workerContext } from '../engine/parked-work.ts'
import { transientPauseMs } from '../engine/retry-work.ts'
import { type ClaimedTimer, deleteParkedTimer, deleteTimers, parkTimer, postpone, unparkTimer } from './queries.ts'
import { type TimerKind, timerWorker } from './timer.ts'

export type Fired = { timer: ClaimedTimer } & (
  | { isDone: true }
  | { isDone: false; tryInMs: number; attempts: number }
  | { isDone: false; failure: Failure }
)

export const afterFailure = (timer: ClaimedTimer, error: unknown, pauses: readonly number[]): Fired => {
  const { attempts } = timer
  if (isTransient(error)) return { timer, isDone: false, tryInMs: transientPauseMs(attempts), attempts }
  const tryInMs = pauses[attempts]
  if (tryInMs === undefined || isFinal(error)) return { timer, isDone: false, failure: failureOf(error, attempts + 1) }
  return { timer, isDone: false, tryInMs, attempts: attempts + 1 }
}

export const fireTimer = async (
  timer: ClaimedTimer,
  kind: TimerKind | undefined,
  { log, pauses }: { log: Logger; pauses: readonly number[] },
): Promise<Fired> => {
  const work = workInProgress.begin(timerWorker(timer.kind), timer.tenant)
  try {
    await kind?.fire(timer)
    return { timer, isDone: true }
  } catch (error) {
    const about = { timer: timer.kind, event: timer.eventId, err: error }
    if (isTransient(error)) log.warn(about, 'timer interrupted')
    else log.error(about, 'timer failed')
    return afterFailure(timer, error, pauses)
  } finally {
    workInProgress.end(work)
  }
}

export interface KeepDeps {
  works: ParkedWorkHandler
  clock: Clock
  box: Pick<SecretBox, 'fingerprint'>
}

/** In the transaction of the claim. */
export const keepFired = async (db: PoolClient, fired: readonly Fired[], deps: KeepDeps): Promise<void> => {
  const done = fired.flatMap(({ timer, isDone }) => (isDone ? timer : []))
  for (const kind of new Set(done.map((timer) => timer.kind))) {
    const keys = done.filter((timer) => timer.kind === kind).map(({ key }) => key)
    await deleteTimers(db, kind, keys)
  }
  for (const { workId } of done) if (workId !== null) await resume(db, workId, deps.works)
  for (const outcome of fired) if (!outcome.isDone) await keepFailed(db, outcome, deps)
}

const keepFailed = async (
  db: PoolClient,
  outcome: Extract<Fired, { isDone: false }>,
  { clock, box }: KeepDeps,
): Promise<void> => {
  const { timer } = outcome
  if ('tryInMs' in outcome) return postpone(db, timer, later(clock.now(), outcome.tryInMs), outcome.attempts)
  const worker = timerWorker(timer.kind)
  const id = parkedWorkId(box, worker, timer.key)
  await parkTimer(db, timer, id)
  await upsertParked(db, id, worker, { id: timer.eventId, position: null }, outcome.failure, clock.now())
}

const resume = async (db: PoolClient, workId: string, works: ParkedWorkHandler): Promise<void> => {
  const row = await findParked(db, workId)
  if (row) {
    const { worker, parkingId } = row
    await works(workId, { type: 'ResumeWork', data: { parkingId } }, workerContext(worker, parkingId))
  }
  await deleteParked(db, [workId])
}

export const attendParked = async (
  kinds: readonly string[],
  { pool, works, clock }: { pool: Pool; works: ParkedWorkHandler; clock: Clock },
): Promise<void> => {
  for (const row of await parkedOf(pool, kinds.map(timerWorker))) {
    await announceParked({ pool, works }, row)
    if (row.request !== null) await transaction(pool, (db) => decide(db, row, clock))
  }
}

const decide = async (db: PoolClient, row: ParkedRow, clock: Clock): Promise<void> => {
  if (row.request === 'release') {
    await deleteParkedTimer(db, row.id)
    await deleteParked(db, [row.id])
  } else if ((await unparkTimer(db, row.id, clock.now())) && row.effectId !== null) {
    await forgetClaim(db, row.effectId)
    await clearEffect(db, row.id)
  }
}
