import type { Pool } from 'pg'
import type { Metric } from '../../observability/metric.ts'
import { type ConsumerStatuses, type ReportedStatus, reportStatuses } from '../engine/consumer-status.ts'
import { projectionWorker } from './parking/parked-tenants.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import type { Projection } from './projection.ts'
import { projectionMetrics } from './projection-metrics.ts'
import { followRebuildRequests } from './rebuild/rebuild-on-request.ts'
import { type ProjectionDeps, runProjection } from './run-projection.ts'
import type { Table } from './table.ts'
import { wantedPositions } from './wanted-positions.ts'
import { writeTogether } from './writing/write-together.ts'

/** For `/health/ready`: a rebuild is listed, but is no failure. */
export const healthOf = (statuses: ConsumerStatuses): Record<string, unknown> => {
  const health: Record<string, unknown> = {}
  for (const [name, { state, position, progress, trouble }] of statuses) {
    if (progress) health[`rebuilding ${name}`] = { ...progress }
    if (trouble) health[`projection ${name}`] = { state, ...trouble, position }
  }
  return health
}

export interface ReadModel {
  name: string
  table: Pick<Table<Record<string, unknown>>, 'name' | 'key' | 'columns'>
  version: number
  prepare(pool: Pool): Promise<void>
  run(deps: ProjectionDeps, signal: AbortSignal, statuses: ConsumerStatuses): Promise<void>
}

export const readModel = <Row extends object>(projection: Projection<Row>): ReadModel => ({
  name: projection.name,
  table: projection.table,
  version: projection.version,
  prepare: (pool) => prepareReadModel(pool, projection),
  run: (deps, signal, statuses) => runProjection(projection, deps, signal, statuses),
})

export interface ReadModelPorts extends Omit<ProjectionDeps, 'together'> {
  writePool: Pool
}

export interface RunningReadModels {
  statuses: ConsumerStatuses
  report(): ReportedStatus[]
  run(signal: AbortSignal): Promise<void>
  parkers: string[]
  health(): Record<string, unknown>
  metrics(): Metric[]
}

/** Prepares the tables; `run` then follows the log. */
export const keepReadModels = async (
  models: readonly ReadModel[],
  { writePool, ...ports }: ReadModelPorts,
): Promise<RunningReadModels> => {
  for (const { prepare } of models) await prepare(ports.pool)
  const statuses: ConsumerStatuses = new Map()
  const report = () => reportStatuses(statuses, ports.clock)
  return {
    statuses,
    report,
    async run(signal) {
      const names = models.map(({ name }) => name)
      const { requests, done } = followRebuildRequests(names, ports, signal)
      const wanted = wantedPositions(ports.databaseUrl, signal)
      const deps = { ...ports, pool: writePool, together: writeTogether(writePool), requests, wanted }
      await Promise.all([done, ...models.map(({ run }) => run(deps, signal, statuses))])
    },
    parkers: models.map(({ name }) => projectionWorker(name)),
    health: () => healthOf(statuses),
    metrics: () => projectionMetrics(report()),
  }
}
