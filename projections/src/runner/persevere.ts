import { setTimeout as delay } from 'node:timers/promises'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import { passes } from '@prosa/kernel/reactors/failure'
import pg from 'pg'
import type { ProjectionFigure } from './figures.ts'

const mostAttempts = 5
const firstPauseMilliseconds = 100

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** What PostgreSQL says about refused data quotes the data, which is personal: only its code is told. */
export const told = (error: unknown) =>
  error instanceof pg.DatabaseError ? { reason: `${error.name} ${error.code}` } : { reason: nameOf(error), err: error }

/** SQLSTATEs with which PostgreSQL refuses what a row holds: data, constraints, sizes. */
const refusedRow = /^(22|23|54)/

/**
 * Whether an event may be at fault: it cannot be decoded, not be folded, or its row not be stored. Whatever else PostgreSQL
 * refuses (a table that is not there, a permission) would hit every event alike.
 */
export const isFaultOfEvent = (error: unknown): boolean =>
  !passes(error) && !(error instanceof pg.DatabaseError && !refusedRow.test(error.code ?? ''))

/** Takes events into the rows, all of them up to a position, or throws. What it has taken already, it passes over. */
export type Write = (events: readonly RecordedEvent[], upTo: Position) => Promise<void>

/** What becomes of an event that fails when it is alone; false to go no further. */
export type OnFault = (event: RecordedEvent, error: unknown, upTo: Position) => Promise<boolean>

/**
 * Writes events; when one of them is at fault, in halves, until it is alone: everything before it is written then, and `onFault`
 * decides. False when that went no further; throws what is no event's fault.
 */
export const inHalves = (
  write: Write,
  onFault: OnFault,
): ((events: readonly RecordedEvent[], upTo: Position) => Promise<boolean>) => {
  const advance = async (events: readonly RecordedEvent[], upTo: Position): Promise<boolean> => {
    try {
      await write(events, upTo)
      return true
    } catch (error) {
      if (!isFaultOfEvent(error)) throw error
      const half = events.length >> 1
      const middle = events[half - 1]
      if (middle)
        return (await advance(events.slice(0, half), middle.position)) && (await advance(events.slice(half), upTo))
      const [event] = events
      if (!event) throw error
      return onFault(event, error, upTo)
    }
  }
  return advance
}

/**
 * Writes events, those at fault excepted: see `inHalves`. What is no event's fault and does not pass by itself is tried a few
 * times and then stops the projection: the figure says so, and the answer is false. It is false as well when the signal aborts
 * first. Throws what will pass by itself.
 */
export const persevere = (
  write: Write,
  onFault: OnFault,
  { name, log, figure, until }: { name: string; log: Logger; figure: ProjectionFigure; until: AbortSignal },
): ((events: readonly RecordedEvent[], upTo: Position) => Promise<boolean>) => {
  const advance = inHalves(write, onFault)
  return async (events, upTo) => {
    for (let attempt = 1; !until.aborted; attempt++) {
      try {
        return await advance(events, upTo)
      } catch (error) {
        if (passes(error)) throw error
        const { position } = figure
        if (attempt === mostAttempts) {
          figure.state = 'stopped'
          figure.trouble = { reason: nameOf(error) }
          log.error({ projection: name, position, ...told(error) }, 'projection stopped')
          return false
        }
        log.warn({ projection: name, position, attempt, ...told(error) }, 'projection failed, will try again')
        const pause = firstPauseMilliseconds * 2 ** (attempt - 1)
        await delay(pause, undefined, { signal: until }).catch(() => until.aborted)
      }
    }
    return false
  }
}
