import type { Position } from '../event-store/port.ts'

export interface ReactorFigure {
  /** Everything up to here is handled, or safely parked. */
  position: Position
  /** How far the log has been handed out to it. */
  handedOut: Position
  /** Events in hand. */
  inFlight: number
}

/** Of each reactor that this process runs now, by name; those that wait for another process to end are not there. */
export type ReactorFigures = Map<string, () => ReactorFigure>
