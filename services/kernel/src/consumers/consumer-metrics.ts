import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import type { Position } from '../event-store/port.ts'
import type { Metric } from '../observability/metric.ts'
import { type ConsumerStatuses, isRunning, measureOf } from './engine/consumer-status.ts'
import { parkedCounts } from './engine/parked-queries.ts'
import { furthestCheckpoint, timerCounts } from './queries.ts'

const furthest = (positions: readonly (Position | undefined)[]): Position | undefined =>
  positions.reduce((one, other) => (one === undefined || (other !== undefined && other > one) ? other : one), undefined)

export interface ReactorMetricDeps {
  pool: Pool
  clock: Clock
  reactors: ConsumerStatuses
  lastAppended: () => Position | undefined
}

/** Lag of each reactor of this process, and since when a lagging one has not moved. */
export const reactorMetrics = ({ pool, clock, reactors, lastAppended }: ReactorMetricDeps) => {
  const moved = new Map<string, { position: Position; at: number }>()

  return async (): Promise<Metric[]> => {
    const known = [...reactors].flatMap(([reactor, { position, ...status }]) =>
      position !== undefined && isRunning(status) ? { ...status, reactor, position } : [],
    )
    const head = furthest([...known.map(({ handedOut }) => handedOut), lastAppended(), await furthestCheckpoint(pool)])
    const now = Date.parse(clock.now())
    return known.flatMap(({ reactor, position, inFlight }) => {
      const lag = Math.max(0, measureOf(head) - measureOf(position))
      const before = moved.get(reactor)
      const at = lag === 0 || before?.position !== position ? now : before.at
      moved.set(reactor, { position, at })
      const gauge = (name: Metric['name'], help: string, value: number): Metric => ({
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
        gauge('prosa_reactor_in_flight_events', 'Events that the reactor is handling.', inFlight),
      ]
    })
  }
}

/** Workers without parked keys report 0. */
export const parkedMetrics = (pool: Pool, workers: readonly string[]) => async (): Promise<Metric[]> => {
  const parked = await parkedCounts(pool)
  return [...new Set([...workers, ...parked.keys()])].map((worker) => ({
    name: 'prosa_parked_keys',
    help: 'Keys that a reactor, timer or projection could not serve and that wait for an administrator.',
    kind: 'gauge',
    value: parked.get(worker) ?? 0,
    labels: { worker },
  }))
}

export const timerMetrics = (pool: Pool, clock: Clock, kinds: readonly string[]) => async (): Promise<Metric[]> => {
  const counts = new Map((await timerCounts(pool, clock.now())).map((each) => [each.kind, each]))
  return kinds.flatMap((timer) => {
    const { set = 0, due = 0, lateSeconds = 0 } = counts.get(timer) ?? {}
    const gauge = (name: Metric['name'], help: string, value: number): Metric => ({
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
