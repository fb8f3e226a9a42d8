import type { Pool, PoolClient } from 'pg'
import type { Position } from '../../../event-store/port.ts'
import type { RebuildProgress } from '../../engine/consumer-status.ts'
import { projectionWorker } from '../parking/parked-tenants.ts'

export interface RebuildRequest {
  rebuildId: string
  eventId: string
  correlationId: string
  request: 'requested' | 'built' | 'recorded'
}

/** Makes it visible to administrators. */
export const registerReadModel = async (db: PoolClient, name: string): Promise<void> => {
  await db.query('insert into read_model (name) values ($1) on conflict (name) do nothing', [name])
}

export const isReadModel = async (db: Pool, name: string): Promise<boolean> => {
  const { rowCount } = await db.query('select from read_model where name = $1', [name])
  return rowCount === 1
}

/** Ignores an older or repeated request. */
export const requestRebuild = async (
  db: Pool,
  name: string,
  { rebuildId, eventId, correlationId }: Omit<RebuildRequest, 'request'>,
  requestedAt: string,
): Promise<void> => {
  await db.query(
    `update read_model set request = 'requested', rebuild_id = $2, event_id = $3, correlation_id = $4, requested_at = $5,
       built_at = null
     where name = $1 and rebuild_id is distinct from $2 and (requested_at is null or requested_at <= $5)`,
    [name, rebuildId, eventId, correlationId, requestedAt],
  )
}

export const findRebuildRequest = async (db: Pool, name: string): Promise<RebuildRequest | undefined> => {
  const { rows } = await db.query<RebuildRequest>(
    `select rebuild_id as "rebuildId", event_id as "eventId", correlation_id as "correlationId", request
     from read_model where name = $1 and request is not null`,
    [name],
  )
  return rows[0]
}

export const requestedRebuilds = async (db: Pool, names: readonly string[]): Promise<Set<string>> => {
  const { rows } = await db.query<{ name: string }>(
    `select name from read_model where name = any($1) and request = 'requested'`,
    [names],
  )
  return new Set(rows.map(({ name }) => name))
}

export const markBuilt = async (db: PoolClient, name: string): Promise<void> => {
  await db.query(
    `update read_model set request = 'built', built_at = now() where name = $1 and request = 'requested'`,
    [name],
  )
}

export const markRecorded = async (db: Pool, name: string, rebuildId: string): Promise<void> => {
  await db.query(
    `update read_model set request = 'recorded' where name = $1 and rebuild_id = $2 and request = 'built'`,
    [name, rebuildId],
  )
}

/** The first report after `forgetProgress` is the start. */
export const reportProgress = async (db: Pool, name: string, { done, total }: RebuildProgress): Promise<void> => {
  await db.query(
    `update read_model set done = $2, total = $3, reported_at = now(),
       began_at = coalesce(began_at, now()), began_done = coalesce(began_done, $2)
     where name = $1`,
    [name, done, total],
  )
}

export const forgetProgress = async (db: Pool | PoolClient, name: string): Promise<void> => {
  await db.query(
    `update read_model set began_at = null, began_done = null, done = null, total = null, reported_at = null
     where name = $1 and began_at is not null`,
    [name],
  )
}

export interface ReadModelRow {
  name: string
  version: number
  position: Position
  request: RebuildRequest['request'] | null
  requestedAt: Date | null
  builtAt: Date | null
  beganAt: Date | null
  beganDone: number | null
  done: number | null
  total: number | null
  reportedAt: Date | null
  parkedTenants: number
}

export const listReadModels = async (db: Pool): Promise<ReadModelRow[]> => {
  const { rows } = await db.query<ReadModelRow>(
    `select m.name, c.version, c.position, m.request, m.requested_at as "requestedAt", m.built_at as "builtAt",
       m.began_at as "beganAt", m.began_done::float8 as "beganDone", m.done::float8 as done, m.total::float8 as total,
       m.reported_at as "reportedAt",
       (select count(*)::int from parked_work w where w.worker = $1 || m.name and w.tenant is not null) as "parkedTenants"
     from read_model m join checkpoint c on c.name = m.name order by m.name`,
    [projectionWorker('')],
  )
  return rows
}
