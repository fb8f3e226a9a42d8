import type { Instant } from '@prosa/contracts/values/instant'
import type { Clock } from '../../clock.ts'
import type { Position } from '../../event-store/port.ts'

/**
 * `waiting`: another process runs this consumer. `rebuilding`: a new version is being built beside the one that is shown.
 * `stopped` stays so until the process starts again; `interrupted` is tried again by itself.
 */
export type ConsumerState = 'waiting' | 'rebuilding' | 'catching up' | 'following' | 'interrupted' | 'stopped'

/** How much of the log has been gone through, in the log's own measure (`measureOf`); `total` grows with the log. */
export interface RebuildProgress {
  done: number
  total: number
}

/** What one consumer of this process is doing. The engine writes it; health and metrics read it. */
export interface ConsumerStatus {
  state: ConsumerState
  /** Everything up to here is done, or safely parked. */
  position: Position | undefined
  /** How far the log has been handed out to it. */
  handedOut: Position | undefined
  /** Events that were handed out and are not done. */
  inFlight: number
  /** Transactions and events that went into its rows since the process started. */
  batches: number
  events: number
  /** When it last stood at the end of the log. */
  caughtUpAt: Instant | undefined
  progress?: RebuildProgress
  /** Why it was interrupted or stopped; until it stands at the end of the log again. */
  trouble?: { reason: string }
  /** How many keys are being tried again, and the latest reason; parked keys are not among them. */
  failing?: { keys: number; reason: string }
}

/** By the consumer's name. */
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

/** Adds a consumer to those that are watched; all is known of it only once it runs. */
export const statusOf = (statuses: ConsumerStatuses, name: string): ConsumerStatus => {
  const status = newStatus()
  statuses.set(name, status)
  return status
}

/** Whether this process runs the consumer now. */
export const isRunning = ({ state }: Pick<ConsumerStatus, 'state'>): boolean =>
  state !== 'waiting' && state !== 'interrupted'

/**
 * How far into the log a position is, to be shown to people only: its leading digits. They count events in our own logs,
 * where positions are dense, and bytes in EventStoreDB's.
 */
export const measureOf = (position: Position | undefined): number => Number(/^\d*/.exec(position ?? '')?.[0])

/** What that measure counts. EventStoreDB's positions have a digit more than ours. */
export const unitOf = (position: Position): 'events' | 'bytes' => (position.length > 19 ? 'bytes' : 'events')

export interface ReportedStatus extends ConsumerStatus {
  name: string
  /** How far it is behind the furthest of these consumers, in the log's own measure. */
  lag: number
  /** How long it has not stood at the end of the log; undefined where it never did, or another process runs it. */
  lagSeconds: number | undefined
}

/** The consumers as they are now, compared with each other. */
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
