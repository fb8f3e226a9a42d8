import type { Instant } from '@prosa/contracts/values/instant'
import type { Clock } from '../../clock.ts'
import type { Position } from '../../event-store/port.ts'

/** `waiting`: runs in another process. `stopped` lasts until restart; `interrupted` is retried. */
export type ConsumerState = 'waiting' | 'rebuilding' | 'catching up' | 'following' | 'interrupted' | 'stopped'

/** In the unit of `measureOf`; `total` grows with the log. */
export interface RebuildProgress {
  done: number
  total: number
}

export interface ConsumerStatus {
  state: ConsumerState
  /** Everything up to here is done or parked. */
  position: Position | undefined
  /** Read position. */
  handedOut: Position | undefined
  inFlight: number
  batches: number
  events: number
  caughtUpAt: Instant | undefined
  progress?: RebuildProgress
  /** Cleared at the end of the log. */
  trouble?: { reason: string }
  /** Keys under retry, without parked ones. */
  failing?: { keys: number; reason: string }
}

export type ConsumerStatuses = Map<string, ConsumerStatus>

export const newStatus = (): ConsumerStatus => ({
  state: 'waiting',
  position: undefined,
  handedOut: undefined,
  inFlight: 0,
  batches: 0,
  events: 0,
  caughtUpAt: undefined,
})

export const statusOf = (statuses: ConsumerStatuses, name: string): ConsumerStatus => {
  const status = newStatus()
  statuses.set(name, status)
  return status
}

export const isRunning = ({ state }: Pick<ConsumerStatus, 'state'>): boolean =>
  state !== 'waiting' && state !== 'interrupted'

/** For display only: the leading digits of a position, events in dense logs, bytes in EventStoreDB. */
export const measureOf = (position: Position | undefined): number => Number(/^\d*/.exec(position ?? '')?.[0])

/** EventStoreDB's positions have one digit more. */
export const unitOf = (position: Position): 'events' | 'bytes' => (position.length > 19 ? 'bytes' : 'events')

export interface ReportedStatus extends ConsumerStatus {
  name: string
  /** Behind the furthest consumer, in the unit of `measureOf`. */
  lag: number
  /** Undefined: never at the end of the log, or in another process. */
  lagSeconds: number | undefined
}

export const reportStatuses = (statuses: ConsumerStatuses, clock: Clock): ReportedStatus[] => {
  const furthest = Math.max(0, ...[...statuses.values()].map(({ position }) => measureOf(position)))
  const now = Date.parse(clock.now())
  return [...statuses].map(([name, status]) => ({
    ...status,
    name,
    lag: status.position === undefined ? 0 : furthest - measureOf(status.position),
    lagSeconds: lagSeconds(status, now),
  }))
}

const lagSeconds = ({ state, caughtUpAt }: ConsumerStatus, now: number): number | undefined => {
  if (state === 'waiting' || caughtUpAt === undefined) return undefined
  return state === 'following' ? 0 : Math.max(0, (now - Date.parse(caughtUpAt)) / 1000)
}
