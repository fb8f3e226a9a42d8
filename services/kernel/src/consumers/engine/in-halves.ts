import pg from 'pg'
import type { Position, RecordedEvent } from '../../event-store/port.ts'
import { isTransient } from './failure.ts'

/** SQLSTATEs of faulty row data: data, constraints, sizes. */
const refusedRow = /^(22|23|54)/

/** Other PostgreSQL errors (missing table, permission) would hit every event. */
export const isFaultOfEvent = (error: unknown): boolean =>
  !isTransient(error) && !(error instanceof pg.DatabaseError && !refusedRow.test(error.code ?? ''))

/** Skips events already written. */
export type Write = (events: readonly RecordedEvent[], upTo: Position) => Promise<void>

/** Decides about one faulty event; false stops. */
export type OnFault = (event: RecordedEvent, error: unknown, upTo: Position) => Promise<boolean>

/** False stops. */
export type Advance = (events: readonly RecordedEvent[], upTo: Position) => Promise<boolean>

/** Bisects to the faulty event, writes all before it, then asks `onFault`. Throws errors that are no event's fault. */
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
