import type { Pool } from 'pg'
import { repeat } from '../../../async/retry.ts'
import type { Logger } from '../../../observability/log.ts'
import type { Session } from '../../engine/consume.ts'
import { type ConsumerStatus, newStatus, type RebuildProgress } from '../../engine/consumer-status.ts'
import { Overtaken } from '../../engine/epochs.ts'
import { loggable } from '../../engine/loggable.ts'
import { transientPauseMs } from '../../engine/retry-work.ts'
import type { Projection } from '../projection.ts'
import type { LiveWrites } from '../writing/live-writes.ts'
import { builderContext, readModelRebuildHandler } from './read-model-rebuild.ts'
import { type RebuildDeps, rebuild } from './rebuild.ts'
import { findRebuildRequest, markRecorded, type RebuildRequest, requestedRebuilds } from './rebuild-queries.ts'

const attendMs = 500
const askMs = 1000

/** One rebuild per process: each may fill the memory and holds a connection. */
const building = new WeakSet<Pool>()

export interface RebuildRequests {
  isRequested(readModel: string): boolean
  /** Undefined, without a start, while another rebuild runs. */
  serially<T>(work: () => Promise<T>): Promise<T | undefined>
}

/** Polls each second, one query for all. */
export const followRebuildRequests = (
  readModels: readonly string[],
  { pool, log }: { pool: Pool; log: Logger },
  signal: AbortSignal,
): { requests: RebuildRequests; done: Promise<void> } => {
  let requested: ReadonlySet<string> = new Set()
  const ask = async () => {
    requested = await requestedRebuilds(pool, readModels)
  }
  const done = repeat(ask, {
    signal,
    pauseAfter: (failures) => (failures === 0 ? askMs : transientPauseMs(failures)),
    onFailure: (error) => log.warn(loggable(error), 'requests for rebuilds could not be read'),
  })
  const requests: RebuildRequests = {
    isRequested: (readModel) => requested.has(readModel),
    async serially(work) {
      if (building.has(pool)) return undefined
      building.add(pool)
      try {
        return await work()
      } finally {
        building.delete(pool)
      }
    },
  }
  return { requests, done }
}

export interface OnRequestDeps extends RebuildDeps {
  requests: RebuildRequests
  /** Status of the live rows. */
  status: ConsumerStatus
  writes: LiveWrites
}

/**
 * Rebuilds on request beside live rows, then swaps and ends the session. Records in the log what an earlier session finished. Throws
 * `Overtaken`.
 */
export const rebuildOnRequest = async <Row extends object>(
  projection: Projection<Row>,
  deps: OnRequestDeps,
  { epoch, until, renew }: Session,
): Promise<void> => {
  const { pool, log, requests, status, writes } = deps
  const { name } = projection
  const works = readModelRebuildHandler(deps)

  const build = async ({ rebuildId }: RebuildRequest): Promise<void> => {
    const run = {
      ...{ epoch, until },
      status: newStatus(),
      onProgress(progress: RebuildProgress) {
        status.progress = progress
      },
      renewal: { rebuildId, exchange: writes.exchange, onDone: renew },
    }
    try {
      const isDone = await rebuild(projection, deps, run)
      if (!isDone && !until.aborted) throw new Error('the rebuild was stopped')
    } finally {
      delete status.progress
    }
  }
  const record = async (request: RebuildRequest): Promise<void> => {
    const { rebuildId } = request
    await works(name, { type: 'FinishRebuild', data: { rebuildId, readModel: name } }, builderContext(name, request))
    await markRecorded(pool, name, rebuildId)
  }

  let isFirst = true
  const attend = async () => {
    if (!isFirst && !requests.isRequested(name)) return
    const request = await findRebuildRequest(pool, name)
    if (request?.request === 'built') await record(request)
    isFirst = false
    if (request?.request === 'requested') await requests.serially(() => build(request))
  }
  const onFailure = (error: unknown) => {
    if (error instanceof Overtaken) throw error
    log.warn({ projection: name, ...loggable(error) }, 'a requested rebuild failed, and will be tried again')
  }
  const pauseAfter = (failures: number) => (failures === 0 ? attendMs : transientPauseMs(failures))
  await repeat(attend, { signal: until, pauseAfter, onFailure })
}
