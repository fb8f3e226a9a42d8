import { setTimeout as delay } from 'node:timers/promises'
import type { ReadModelReport } from '@prosa/contracts/http/administration/operations'
import { allCheckpoints } from '@prosa/kernel/consumers/engine/checkpoints'
import { measureOf, unitOf } from '@prosa/kernel/consumers/engine/consumer-status'
import { listReadModels, type ReadModelRow } from '@prosa/kernel/consumers/projections/rebuild/rebuild-queries'
import type { Pool } from 'pg'

/** Longer than a projection waits before it skips irrelevant events. */
const passingMs = 400

type Progress = Pick<ReadModelRow, 'beganAt' | 'beganDone' | 'done' | 'total' | 'reportedAt'>

/** Assumes the average speed so far. */
export const progressOf = ({ beganAt, beganDone, done, total, reportedAt }: Progress): ReadModelReport['progress'] => {
  if (beganAt === null || beganDone === null || done === null || total === null || reportedAt === null) return null
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const seconds = (reportedAt.getTime() - beganAt.getTime()) / 1000
  const perSecond = seconds > 0 ? (done - beganDone) / seconds : 0
  const left = Math.max(0, total - done)
  return {
    percent: Math.floor(share * 100),
    secondsLeft: left === 0 ? 0 : perSecond > 0 ? Math.ceil(left / perSecond) : null,
  }
}

const stateOf = (row: ReadModelRow, isBehind: boolean): ReadModelReport['state'] => {
  if (row.beganAt !== null) return 'rebuilding'
  if (row.request === 'requested') return 'requested'
  return isBehind ? 'behind' : 'current'
}

/** Behind: does not reach the furthest consumer's position within the pause. */
export const reportReadModels = async (
  pool: Pool,
): Promise<{ measure: 'events' | 'bytes'; readModels: ReadModelReport[] }> => {
  const positions = (await allCheckpoints(pool)).map(({ position }) => position)
  const furthest = Math.max(0, ...positions.map(measureOf))
  const lagOf = ({ position }: ReadModelRow) => Math.max(0, furthest - measureOf(position))
  const first = await listReadModels(pool)
  const isSomeBehind = first.some((row) => lagOf(row) > 0)
  if (isSomeBehind) await delay(passingMs)
  const rows = isSomeBehind ? await listReadModels(pool) : first
  return {
    measure: positions.some((position) => unitOf(position) === 'bytes') ? 'bytes' : 'events',
    readModels: rows.map((row) => ({
      name: row.name,
      version: row.version,
      position: measureOf(row.position),
      lag: lagOf(row),
      state: stateOf(row, lagOf(row) > 0),
      progress: progressOf(row),
      requestedAt: row.request === 'requested' ? (row.requestedAt?.toISOString() ?? null) : null,
      rebuiltAt: row.builtAt?.toISOString() ?? null,
      parkedTenants: row.parkedTenants,
    })),
  }
}
