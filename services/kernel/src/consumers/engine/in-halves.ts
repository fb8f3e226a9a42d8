import pg from 'pg'
import type { Position, RecordedEvent } from '../../event-store/port.ts'
import { passes } from './failure.ts'

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

/** Takes events that follow on what was taken before; false to go no further. */
export type Advance = (events: readonly RecordedEvent[], upTo: Position) => Promise<boolean>

/**
 * Writes events; when one of them is at fault, in halves, until it is alone: everything before it is written then, and `onFault`
 * decides. False when that went no further; throws what is no event's fault.
 */
export const inHalves = (write: Write, onFault: OnFault): Advance => {
  const advance: Advance = async (events, upTo) => {
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
