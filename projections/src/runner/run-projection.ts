import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { allEvents } from '@prosa/contracts/events/all-events'
import { type Codec, UndecodableEvent } from '@prosa/kernel/event-store/codec'
import type { EventStore, Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import { isUnreachable } from '@prosa/kernel/postgres/is-unreachable'
import { loadCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import pg, { type Pool } from 'pg'
import { UnfoldableEvent } from './fold-batch.ts'
import { lazily } from './lazily.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import type { Projection } from './projection.ts'
import { Overtaken, writeBatch } from './write-batch.ts'

export interface ProjectionDeps {
  store: EventStore
  codec: Codec
  pool: Pool
  databaseUrl: string
  log: Logger
}

export interface ProjectionTrouble {
  /** `stopped` stays so until the process starts again; `interrupted` is tried again by itself. */
  state: 'interrupted' | 'stopped'
  reason: string
  /** Where the read model stands: it shows everything up to here, and nothing after. */
  position: Position | undefined
  /** The id of the event that could not be folded. */
  event?: string
}

/** Projections in trouble, by name. */
export type ProjectionHealth = Map<string, ProjectionTrouble>

const attemptsPerEvent = 5
/** A reader who waits for a position that concerns another read model waits so much longer; in return nothing is written for it. */
const passingMilliseconds = 25
const firstPauseMilliseconds = 100

const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown')

/** What PostgreSQL says about refused data quotes the data, which is personal: only its code is told. */
const told = (error: unknown) =>
  error instanceof pg.DatabaseError ? { reason: `${error.name} ${error.code}` } : { reason: nameOf(error), err: error }

/** Whether an event changes the read model; one that nobody knows is for the codec to refuse, not to be passed over. */
const concerns = <Row extends object>({ on }: Projection<Row>, { type }: RecordedEvent) =>
  Object.hasOwn(on, type) || !Object.hasOwn(allEvents, type)

/** Nothing is wrong with the events: the database is away, or another runner has taken over. */
const passes = (error: unknown) =>
  !(error instanceof UndecodableEvent || error instanceof UnfoldableEvent) &&
  (error instanceof Overtaken || isUnreachable(error))

/**
 * Keeps one read model up with the log from its checkpoint on, in one process at a time, until the signal aborts; what is
 * being written then is finished first. An event that cannot be folded is tried a few times and then stops this projection
 * where it stands: everything before the event is shown, nothing is skipped, and health says so.
 */
export const runProjection = <Row extends object>(
  projection: Projection<Row>,
  { store, codec, pool, databaseUrl, log }: ProjectionDeps,
  signal: AbortSignal,
  health: ProjectionHealth,
): Promise<void> => {
  const { name, version, categories } = projection
  let position: Position | undefined

  const work = async (until: AbortSignal): Promise<void> => {
    const stopped = async () => {
      if (!until.aborted) await once(until, 'abort')
    }
    await prepareReadModel(pool, projection)
    let reached = await loadCheckpoint(pool, name, version)
    position = reached

    const write = async (events: readonly RecordedEvent[], upTo: Position) => {
      await writeBatch(pool, projection, await codec.decode(events), reached, upTo)
      reached = upTo
      position = upTo
      health.delete(name)
    }

    /** False when it had to stop, or the signal aborted, before all events were written. */
    const advance = async (events: readonly RecordedEvent[], upTo: Position): Promise<boolean> => {
      for (let attempt = 1; !until.aborted; attempt++) {
        try {
          await write(events, upTo)
          return true
        } catch (error) {
          if (passes(error)) throw error
          const middle = events[(events.length >> 1) - 1]
          if (middle) {
            const half = events.length >> 1
            return (await advance(events.slice(0, half), middle.position)) && (await advance(events.slice(half), upTo))
          }
          const event = events[0]?.id
          if (attempt === attemptsPerEvent) {
            health.set(name, { state: 'stopped', reason: nameOf(error), position: reached, event })
            log.error({ projection: name, event, position: reached, ...told(error) }, 'projection stopped')
            return false
          }
          log.warn({ projection: name, event, attempt, ...told(error) }, 'projection failed, will try again')
          await delay(firstPauseMilliseconds * 2 ** (attempt - 1), undefined, { signal: until }).catch(
            () => until.aborted,
          )
        }
      }
      return false
    }

    let passed = reached
    let failure: { error: unknown } | undefined
    const failed = new AbortController()
    /** What passed by without concerning this read model is written down with what does, or a moment later. */
    const passing = lazily(
      passingMilliseconds,
      async () => {
        if (passed > reached) await write([], passed)
      },
      (error) => {
        failure = { error }
        failed.abort()
      },
    )
    const signals = AbortSignal.any([until, failed.signal])
    try {
      for await (const { events, upTo } of store.subscribe(reached, { categories }, signals)) {
        const concerning = events.filter((event) => concerns(projection, event))
        if (concerning.length === 0) {
          passed = upTo
          if (upTo > reached) passing.soon()
          continue
        }
        // From here on nothing may be written as passed: these events are still to be folded.
        await passing.idle()
        if (failure) break
        if (!(await advance(concerning, upTo))) return await stopped()
      }
    } finally {
      await passing.idle()
    }
    if (failure) throw failure.error
  }

  const interrupted = (error: unknown) => {
    health.set(name, { state: 'interrupted', reason: nameOf(error), position })
    log.warn({ projection: name, ...told(error) }, 'projection interrupted')
  }

  return exclusively(databaseUrl, `projection ${name}`, signal, work, interrupted)
}
