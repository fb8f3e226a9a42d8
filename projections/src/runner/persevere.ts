import { setTimeout as delay } from 'node:timers/promises'
import { UndecodableEvent } from '@prosa/kernel/event-store/codec'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import { isUnreachable } from '@prosa/kernel/postgres/is-unreachable'
import pg from 'pg'
import type { ProjectionFigure } from './figures.ts'
import { UnfoldableEvent } from './fold-batch.ts'
import { Overtaken } from './write-batch.ts'

const attemptsPerEvent = 5
const firstPauseMilliseconds = 100

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** What PostgreSQL says about refused data quotes the data, which is personal: only its code is told. */
export const told = (error: unknown) =>
  error instanceof pg.DatabaseError ? { reason: `${error.name} ${error.code}` } : { reason: nameOf(error), err: error }

/** Nothing is wrong with the events: the database is away, or another runner has taken over. */
const passes = (error: unknown) =>
  !(error instanceof UndecodableEvent || error instanceof UnfoldableEvent) &&
  (error instanceof Overtaken || isUnreachable(error))

/** Takes events into the rows, all of them up to a position, or throws. */
export type Write = (events: readonly RecordedEvent[], upTo: Position) => Promise<void>

/**
 * Writes events; when that fails, in halves, until the event at fault is alone. That one is tried a few times and then stops
 * the projection: everything before it is written, the figure says so, and the answer is false. It is false as well when the
 * signal aborts first. Throws what will pass by itself.
 */
export const persevere = (
  write: Write,
  { name, log, figure, until }: { name: string; log: Logger; figure: ProjectionFigure; until: AbortSignal },
): ((events: readonly RecordedEvent[], upTo: Position) => Promise<boolean>) => {
  const advance = async (events: readonly RecordedEvent[], upTo: Position): Promise<boolean> => {
    for (let attempt = 1; !until.aborted; attempt++) {
      try {
        await write(events, upTo)
        return true
      } catch (error) {
        if (passes(error)) throw error
        const half = events.length >> 1
        const middle = events[half - 1]
        if (middle)
          return (await advance(events.slice(0, half), middle.position)) && (await advance(events.slice(half), upTo))
        const event = events[0]?.id
        const correlationId = events[0]?.metadata.correlationId
        const { position } = figure
        if (attempt === attemptsPerEvent) {
          figure.state = 'stopped'
          figure.trouble = { reason: nameOf(error), event }
          log.error({ projection: name, event, correlationId, position, ...told(error) }, 'projection stopped')
          return false
        }
        log.warn(
          { projection: name, event, correlationId, attempt, ...told(error) },
          'projection failed, will try again',
        )
        await delay(firstPauseMilliseconds * 2 ** (attempt - 1), undefined, { signal: until }).catch(
          () => until.aborted,
        )
      }
    }
    return false
  }
  return advance
}
