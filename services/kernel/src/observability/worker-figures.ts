import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import type { Position } from '../event-store/port.ts'
import { parkedCounts } from '../reactors/queries.ts'
import type { ReactorFigures } from '../reactors/reactor-figures.ts'
import type { Figure } from './figure.ts'
import { furthestCheckpoint, timerCounts } from './queries.ts'

/** How far into the log a position is: events in our own logs, where positions are dense; bytes in EventStoreDB's. */
const measureOf = (position: Position | undefined): number => Number(/^\d*/.exec(position ?? '')?.[0])

const furthest = (positions: readonly (Position | undefined)[]): Position | undefined =>
  positions.reduce((one, other) => (one === undefined || (other !== undefined && other > one) ? other : one), undefined)

export interface WorkerFigureDeps {
  pool: Pool
  clock: Clock
  reactors: ReactorFigures
  lastAppended: () => Position | undefined
}

/** Of each reactor that this process runs: how far it is behind, and since when it has not moved though it was behind. */
export const reactorFigures = ({ pool, clock, reactors, lastAppended }: WorkerFigureDeps) => {
  const moved = new Map<string, { position: Position; at: number }>()

  return async (): Promise<Figure[]> => {
    const known = [...reactors].map(([reactor, figure]) => ({ reactor, ...figure() }))
    const head = furthest([...known.map(({ handedOut }) => handedOut), lastAppended(), await furthestCheckpoint(pool)])
    const now = Date.parse(clock.now())
    return known.flatMap(({ reactor, position, inFlight }) => {
      const lag = Math.max(0, measureOf(head) - measureOf(position))
      const before = moved.get(reactor)
      const at = lag === 0 || before?.position !== position ? now : before.at
      moved.set(reactor, { position, at })
      const gauge = (name: Figure['name'], help: string, value: number): Figure => ({
        name,
        help,
        kind: 'gauge',
        value,
        labels: { reactor },
      })
      return [
        gauge(
          'prosa_reactor_lag_positions',
          'Events (EventStoreDB: bytes) between the end of the log and the reactor.',
          lag,
        ),
        gauge(
          'prosa_reactor_stalled_seconds',
          'Since when a reactor that is behind was seen not to move.',
          (now - at) / 1000,
        ),
        gauge('prosa_reactor_in_flight_events', 'Events that the reactor has in hand.', inFlight),
      ]
    })
  }
}

/** Keys that wait for an administrator; workers without any are told with 0. */
export const parkedFigures = (pool: Pool, workers: readonly string[]) => async (): Promise<Figure[]> => {
  const parked = await parkedCounts(pool)
  return [...new Set([...workers, ...parked.keys()])].map((worker) => ({
    name: 'prosa_parked_keys',
    help: 'Keys that a reactor, timer or projection could not serve and that wait for an administrator.',
    kind: 'gauge',
    value: parked.get(worker) ?? 0,
    labels: { worker },
  }))
}

/** Of the kinds of timers that this process knows, whichever process fires them. */
export const timerFigures = (pool: Pool, clock: Clock, kinds: readonly string[]) => async (): Promise<Figure[]> => {
  const counts = new Map((await timerCounts(pool, clock.now())).map((each) => [each.kind, each]))
  return kinds.flatMap((timer) => {
    const { set = 0, due = 0, lateSeconds = 0 } = counts.get(timer) ?? {}
    const gauge = (name: Figure['name'], help: string, value: number): Figure => ({
      name,
      help,
      kind: 'gauge',
      value,
      labels: { timer },
    })
    return [
      gauge('prosa_timers_set', 'Timers that have not fired, parked ones not counted.', set),
      gauge('prosa_timers_due', 'Timers whose moment has come and that have not fired.', due),
      gauge('prosa_timers_late_seconds', 'How long the timer has been due that has waited longest.', lateSeconds),
    ]
  })
}
