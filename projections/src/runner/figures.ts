import type { Instant } from '@prosa/contracts/values/instant'
import type { Clock } from '@prosa/kernel/clock'
import type { Position } from '@prosa/kernel/event-store/port'

/**
 * `waiting`: another process keeps this read model. `rebuilding`: a new version is being built beside the one that is shown.
 * `stopped` stays so until the process starts again; `interrupted` is tried again by itself.
 */
export type ProjectionState = 'waiting' | 'rebuilding' | 'catching up' | 'following' | 'interrupted' | 'stopped'

/** How much of the log has been gone through, in the log's own measure (`measureOf`); `total` grows with the log. */
export interface RebuildProgress {
  done: number
  total: number
}

export interface ProjectionTrouble {
  reason: string
}

/** What one projection of this process is doing. The runner writes it, whoever watches reads it. */
export interface ProjectionFigure {
  state: ProjectionState
  /** Where the read model stands: it shows everything up to here, and nothing after. */
  position: Position | undefined
  /** Transactions and events that went into the rows since the process started. */
  batches: number
  events: number
  /** When it last stood at the end of the log. */
  caughtUpAt: Instant | undefined
  progress?: RebuildProgress
  trouble?: ProjectionTrouble
}

/** By the projection's name. */
export type ProjectionFigures = Map<string, ProjectionFigure>

export const newFigure = (): ProjectionFigure => ({
  state: 'waiting',
  position: undefined,
  batches: 0,
  events: 0,
  caughtUpAt: undefined,
})

/**
 * How far into the log a position is, for figures shown to people only: its leading digits. They count events in our own logs,
 * where positions are dense, and bytes in EventStoreDB's.
 */
export const measureOf = (position: Position | undefined): number => Number(/^\d*/.exec(position ?? '')?.[0])

export interface ReportedFigure extends ProjectionFigure {
  name: string
  /** How far it is behind the furthest projection of this process, in the log's own measure. */
  lag: number
  /** How long it has not stood at the end of the log; undefined where it never did, or another process keeps it. */
  lagSeconds: number | undefined
}

/** The figures of all projections of this process as they are now. */
export const reportFigures = (figures: ProjectionFigures, clock: Clock): ReportedFigure[] => {
  const furthest = Math.max(0, ...[...figures.values()].map(({ position }) => measureOf(position)))
  const now = Date.parse(clock.now())
  return [...figures].map(([name, figure]) => ({
    ...figure,
    name,
    lag: figure.position === undefined ? 0 : furthest - measureOf(figure.position),
    lagSeconds: lagSeconds(figure, now),
  }))
}

const lagSeconds = ({ state, caughtUpAt }: ProjectionFigure, now: number): number | undefined => {
  if (state === 'waiting' || caughtUpAt === undefined) return undefined
  return state === 'following' ? 0 : Math.max(0, (now - Date.parse(caughtUpAt)) / 1000)
}

/** For `/health/ready`: what is wrong, and what is being rebuilt, which is not wrong. */
export const healthOf = (figures: ProjectionFigures): Record<string, unknown> => {
  const health: Record<string, unknown> = {}
  for (const [name, { state, position, progress, trouble }] of figures) {
    if (progress) health[`rebuilding ${name}`] = { ...progress }
    if (trouble) health[`projection ${name}`] = { state, ...trouble, position }
  }
  return health
}
