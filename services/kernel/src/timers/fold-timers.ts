import { allEvents } from '@prosa/contracts/events/all-events'
import type { Stored } from '../event-store/codec.ts'
import { beginning, type Position, type RecordedEvent } from '../event-store/port.ts'
import type { Ports } from '../ports.ts'
import { exclusively } from '../postgres/exclusively.ts'
import { transaction } from '../postgres/pool.ts'
import { decodeEach } from '../reactors/decode-each.ts'
import { deleteParked, deleteParkedOf, Overtaken } from '../reactors/queries.ts'
import { pauseUntil } from '../reactors/try-often.ts'
import { loadCheckpoint, saveCheckpoint } from '../read-models/checkpoints.ts'
import { deleteTimers, dropTimers, holdCheckpoint, isBuilt, lockTimers, setLive, upsertTimers } from './queries.ts'
import { type Timer, type TimerKind, type TimerStep, timerWorker } from './timer.ts'

export interface FoldTimersDeps extends Pick<Ports, 'store' | 'codec' | 'pool' | 'databaseUrl' | 'log'> {
  /** See `exclusively`; only tests change it. */
  silenceMilliseconds?: number
}

/** Kinds of timers that cannot follow the log, by kind, with the reason. */
export type TimerHealth = Map<string, string>

const stuckMilliseconds = 10_000
/** So many events that concern no timer may pass before the checkpoint is moved for them alone. */
const passingEvents = 1000

/** What each key comes to after the events: a timer, or none. */
const foldSteps = ({ kind, on }: TimerKind, events: readonly Stored[]): Map<string, Timer | undefined> => {
  const folded = new Map<string, Timer | undefined>()
  for (const event of events) {
    const step = (on[event.type] as ((event: Stored) => TimerStep | undefined) | undefined)?.(event)
    if (!step) continue
    if ('cancel' in step) folded.set(step.cancel, undefined)
    else {
      const { owner, correlationId } = event.metadata
      const { schedule: key, dueAt, payload } = step
      folded.set(key, { kind, key, dueAt, payload, owner, eventId: event.id, correlationId })
    }
  }
  return folded
}

/**
 * Keeps the rows of one kind of timers up with the log, rows and checkpoint in one transaction, in one process at a time,
 * until the signal aborts. An event that cannot be decoded or folded stops the kind where it stands, with a word in `health`;
 * what was set before it fires on.
 */
export const foldTimers = (
  timers: TimerKind,
  { store, codec, pool, databaseUrl, log, silenceMilliseconds }: FoldTimersDeps,
  signal: AbortSignal,
  health: TimerHealth,
): Promise<void> => {
  const { kind, version, categories, on } = timers
  const name = `timers ${kind}`

  const concerns = ({ type }: RecordedEvent) => Object.hasOwn(on, type) || !Object.hasOwn(allEvents, type)

  const prepare = () =>
    transaction(pool, async (db) => {
      if (await isBuilt(db, name, version)) return
      await dropTimers(db, kind)
      await deleteParkedOf(db, timerWorker(kind))
      await saveCheckpoint(db, name, version, beginning)
    })

  const work = async (until: AbortSignal) => {
    await prepare()
    let reached = await loadCheckpoint(pool, name, version)
    let isLive = false
    let passed = 0

    const write = (events: readonly Stored[], upTo: Position, live: boolean) =>
      transaction(pool, async (db) => {
        if (!(await holdCheckpoint(db, name, version, reached))) throw new Overtaken(`${name}: another process writes`)
        const folded = [...foldSteps(timers, events)]
        const ended = await lockTimers(
          db,
          kind,
          folded.map(([key]) => key),
        )
        const set = folded.flatMap(([, timer]) => timer ?? [])
        if (set.length > 0) await upsertTimers(db, kind, set)
        await deleteTimers(
          db,
          kind,
          folded.flatMap(([key, timer]) => (timer ? [] : key)),
        )
        if (ended.length > 0) await deleteParked(db, ended)
        if (live) await setLive(db, kind, true)
        await saveCheckpoint(db, name, version, upTo)
      })

    for await (const { events, upTo, live } of store.subscribe(reached, { categories }, until)) {
      const concerning = events.filter(concerns)
      const becomesLive = live && !isLive
      passed += events.length
      if (concerning.length === 0 && !becomesLive && passed < passingEvents) continue
      const decoded = concerning.length === 0 ? [] : await decodeEach(codec, concerning)
      const bad = decoded.findIndex(({ outcome }) => 'error' in outcome)
      const good = (bad === -1 ? decoded : decoded.slice(0, bad)).flatMap(({ outcome }) =>
        'event' in outcome ? outcome.event : [],
      )
      const end = bad === -1 ? upTo : (good.at(-1)?.position ?? reached)
      await write(good, end, becomesLive && bad === -1)
      reached = end
      passed = 0
      const failed = decoded[bad]?.outcome
      if (failed && 'error' in failed) throw failed.error
      isLive = live
      health.delete(kind)
    }
  }

  const guarded = async (until: AbortSignal) => {
    try {
      await work(until)
    } catch (error) {
      health.set(kind, error instanceof Error ? error.name : 'unknown')
      if (!until.aborted) log.error({ timers: kind, err: error }, 'timers do not follow the log, will try again')
      if (!(error instanceof Overtaken)) await pauseUntil(stuckMilliseconds, until)
    }
  }

  const troubled = (error: unknown) => log.warn({ timers: kind, err: error }, 'timers interrupted')
  return exclusively(databaseUrl, name, signal, guarded, { onTrouble: troubled, silenceMilliseconds })
}
