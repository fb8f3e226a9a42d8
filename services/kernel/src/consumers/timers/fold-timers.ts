import type { PoolClient } from 'pg'
import type { Codec, Stored } from '../../event-store/codec.ts'
import { beginning, type Position, type RecordedEvent } from '../../event-store/port.ts'
import { transaction } from '../../postgres/pool.ts'
import { type BatchHandler, batches } from '../engine/batches.ts'
import { holdCheckpoint, loadCheckpoint, saveCheckpoint } from '../engine/checkpoints.ts'
import { type ConsumeDeps, consume, handledBy } from '../engine/consume.ts'
import { type ConsumerStatus, type ConsumerStatuses, statusOf } from '../engine/consumer-status.ts'
import { Overtaken } from '../engine/epochs.ts'
import { inHalves, type OnFault } from '../engine/in-halves.ts'
import { deleteParked, deleteParkedOf } from '../engine/parked-queries.ts'
import { deleteTimers, dropTimers, isBuilt, lockTimers, setLive, upsertTimers } from './queries.ts'
import { type Timer, type TimerKind, type TimerStep, timerWorker } from './timer.ts'

export interface FoldTimersDeps extends ConsumeDeps {
  codec: Codec
}

const stuckMs = 10_000
/** Irrelevant events before the checkpoint moves for them alone. */
const passingEvents = 1000

/** One process at a time. An undecodable or unfoldable event stops the kind; existing timers still fire. */
export const foldTimers = (
  timers: TimerKind,
  deps: FoldTimersDeps,
  signal: AbortSignal,
  statuses: ConsumerStatuses,
): Promise<void> => {
  const { kind, version, categories, on } = timers
  const status = statusOf(statuses, kind)
  const pauseAfter = (error: unknown) => (error instanceof Overtaken ? 0 : stuckMs)
  const consumer = {
    kind: 'timers',
    name: kind,
    version,
    categories,
    concerns: handledBy(on),
    processes: 'one',
    pauseAfter,
  } as const
  return consume(
    consumer,
    deps,
    batches(() => openTimers(timers, deps, status)),
    status,
    signal,
  )
}

/** Undefined: cancelled. */
const foldSteps = ({ kind, on }: TimerKind, events: readonly Stored[]): Map<string, Timer | undefined> => {
  const folded = new Map<string, Timer | undefined>()
  for (const event of events) {
    const step = (on[event.type] as ((event: Stored) => TimerStep | undefined) | undefined)?.(event)
    if (!step) continue
    if ('cancel' in step) folded.set(step.cancel, undefined)
    else {
      const { tenant, correlationId } = event.metadata
      const { schedule: key, dueAt, payload } = step
      folded.set(key, { kind, key, dueAt, payload, tenant, eventId: event.id, correlationId })
    }
  }
  return folded
}

const checkpointOf = (kind: string) => `timers ${kind}`

const openTimers = async (
  timers: TimerKind,
  { pool, codec }: FoldTimersDeps,
  status: ConsumerStatus,
): Promise<BatchHandler> => {
  const { kind, version } = timers
  const name = checkpointOf(kind)
  await transaction(pool, (db) => prepare(db, timers))
  const from = await loadCheckpoint(pool, name, version)
  let reached = from
  status.position = from
  /** Nothing fires until the rows reach this position. */
  let goal: Position | undefined

  const write = async (given: readonly RecordedEvent[], upTo: Position) => {
    const events = await codec.decode(given.filter(({ position }) => position > reached))
    const folded = foldSteps(timers, events)
    await transaction(pool, async (db) => {
      if (!(await holdCheckpoint(db, name, version, reached))) throw new Overtaken(`${name}: another process writes`)
      await writeRows(db, kind, folded)
      if (upTo === goal) await setLive(db, kind, true)
      await saveCheckpoint(db, name, version, upTo)
    })
    reached = upTo
    status.position = upTo
  }
  const stop: OnFault = async (_, error) => {
    throw error
  }
  const advance = inHalves(write, stop)
  return {
    from,
    reached: () => reached,
    take(events, upTo, live) {
      goal = live ? upTo : undefined
      return advance(events, upTo)
    },
    passing: { afterEvents: passingEvents, whenLive: true },
  }
}

/** Drops timers of another version. */
const prepare = async (db: PoolClient, { kind, version }: TimerKind): Promise<void> => {
  const name = checkpointOf(kind)
  if (await isBuilt(db, name, version)) return
  await dropTimers(db, kind)
  await deleteParkedOf(db, timerWorker(kind))
  await saveCheckpoint(db, name, version, beginning)
}

const writeRows = async (db: PoolClient, kind: string, folded: Map<string, Timer | undefined>): Promise<void> => {
  const ended = await lockTimers(db, kind, [...folded.keys()])
  const set = [...folded.values()].flatMap((timer) => timer ?? [])
  if (set.length > 0) await upsertTimers(db, kind, set)
  const cancelled = [...folded].flatMap(([key, timer]) => (timer ? [] : key))
  await deleteTimers(db, kind, cancelled)
  if (ended.length > 0) await deleteParked(db, ended)
}
