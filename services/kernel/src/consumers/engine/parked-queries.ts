import type { Pool, PoolClient } from 'pg'
import type { Position } from '../../event-store/port.ts'
import { withTimeout } from '../../postgres/with-timeout.ts'

type Db = Pool | PoolClient

export interface Failure {
  errorName: string
  /** Free of personal data. */
  message: string
  attempts: number
  /** The claim of an effect with an unknown outcome. */
  effectId: string | null
}

/** Payloads stay in the log. */
export interface EventRef {
  id: string
  stream: string
  revision: bigint
  position: Position
}

export interface ParkedRow {
  id: string
  worker: string
  parkingId: string
  position: Position | null
  eventId: string | null
  errorName: string
  message: string
  attempts: number
  effectId: string | null
  parkedAt: Date
  request: 'retry' | 'release' | null
  isAnnounced: boolean
  /** Set by projections only. */
  tenant: string | null
}

const columns = `id, worker, parking_id as "parkingId", position, event_id as "eventId", error_name as "errorName", message,
  attempts, effect_id as "effectId", parked_at as "parkedAt", request, is_announced as "isAnnounced", tenant`

/** Voids decisions about an earlier parking. */
export const upsertParked = async (
  db: Db,
  id: string,
  worker: string,
  event: { id: string; position: Position | null },
  failure: Failure,
  parkedAt: string,
  tenant: string | null = null,
): Promise<void> => {
  await db.query(
    `insert into parked_work (id, worker, position, event_id, error_name, message, attempts, effect_id, parked_at, tenant)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (id) do update set
       parking_id = gen_random_uuid(), position = excluded.position, event_id = excluded.event_id,
       error_name = excluded.error_name, message = excluded.message, attempts = excluded.attempts,
       effect_id = excluded.effect_id, parked_at = excluded.parked_at, request = null, is_announced = false`,
    [
      id,
      worker,
      event.position,
      event.id,
      failure.errorName,
      failure.message,
      failure.attempts,
      failure.effectId,
      parkedAt,
      tenant,
    ],
  )
}

/** Existing ones, settled or not, stay. */
export const insertParkedEvents = async (
  db: Db,
  worker: string,
  refs: readonly (EventRef & { workId: string })[],
): Promise<void> => {
  await db.query(
    `insert into parked_event (worker, position, work_id, event_id, stream, revision)
     select $1, * from unnest($2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::bigint[])
     on conflict (worker, position) do nothing`,
    [
      worker,
      refs.map(({ position }) => position),
      refs.map(({ workId }) => workId),
      refs.map(({ id }) => id),
      refs.map(({ stream }) => stream),
      refs.map(({ revision }) => revision),
    ],
  )
}

export const insertParkedEvent = (db: Db, worker: string, workId: string, ref: EventRef): Promise<void> =>
  insertParkedEvents(db, worker, [{ ...ref, workId }])

export const firstParkedEvents = async (db: Db, workId: string, limit: number): Promise<EventRef[]> => {
  const { rows } = await db.query<{ id: string; stream: string; revision: string; position: Position }>(
    `select event_id as id, stream, revision, position from parked_event
     where work_id = $1 and not is_settled order by position limit $2`,
    [workId, limit],
  )
  return rows.map((row) => ({ ...row, revision: BigInt(row.revision) }))
}

export const firstParkedEvent = async (db: Db, workId: string): Promise<EventRef | undefined> =>
  (await firstParkedEvents(db, workId, 1))[0]

export const streamOfParked = async (db: Db, workId: string, eventId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ stream: string }>(
    'select stream from parked_event where work_id = $1 and event_id = $2 limit 1',
    [workId, eventId],
  )
  return rows[0]?.stream
}

/** Kept until the checkpoint passes it, so that a crash does not repeat it. */
export const settleParkedEvent = async (db: Db, worker: string, position: Position): Promise<void> => {
  await db.query('update parked_event set is_settled = true where worker = $1 and position = $2', [worker, position])
}

export const forgetSettled = async (db: Db, worker: string, upTo: Position): Promise<void> => {
  await db.query('delete from parked_event where worker = $1 and is_settled and position <= $2', [worker, upTo])
}

/** Both parked and settled ones. */
export const parkedPositions = async (db: Db, worker: string, after: Position): Promise<Position[]> => {
  const { rows } = await db.query<{ position: Position }>(
    'select position from parked_event where worker = $1 and position > $2',
    [worker, after],
  )
  return rows.map(({ position }) => position)
}

export const deleteParked = async (db: Db, ids: readonly string[]): Promise<void> => {
  await db.query('delete from parked_work where id = any($1)', [ids])
}

export const deleteParkedOf = async (db: Db, worker: string): Promise<void> => {
  await db.query('delete from parked_work where worker = $1', [worker])
}

export const findParked = async (db: Db, id: string): Promise<ParkedRow | undefined> => {
  const { rows } = await db.query<ParkedRow>(`select ${columns} from parked_work where id = $1`, [id])
  return rows[0]
}

export const parkedOf = async (db: Db, workers: readonly string[]): Promise<ParkedRow[]> => {
  const { rows } = await db.query<ParkedRow>(`select ${columns} from parked_work where worker = any($1)`, [workers])
  return rows
}

/** Oldest first; `waiting` counts queued events. */
export const listParked = async (db: Db, limit: number): Promise<(ParkedRow & { waiting: number })[]> => {
  const { rows } = await db.query<ParkedRow & { waiting: number }>(
    `select ${columns},
       (select count(*)::int from parked_event where work_id = parked_work.id and not is_settled) as waiting
     from parked_work order by parked_at, id limit $1`,
    [limit],
  )
  return rows
}

export const markAnnounced = async (db: Db, id: string, parkingId: string): Promise<void> => {
  await db.query('update parked_work set is_announced = true where id = $1 and parking_id = $2', [id, parkingId])
}

/** Ignored if it is about an earlier parking. */
export const requestDecision = async (
  db: Db,
  id: string,
  parkingId: string,
  request: 'retry' | 'release',
): Promise<void> => {
  await db.query('update parked_work set request = $3 where id = $1 and parking_id = $2', [id, parkingId, request])
}

/** Gives up the failing event; the queued ones go on. */
export const passFailing = async (db: Db, id: string): Promise<void> => {
  await db.query(
    `update parked_work set request = 'retry', position = null, event_id = null, effect_id = null where id = $1`,
    [id],
  )
}

export const clearEffect = async (db: Db, id: string): Promise<void> => {
  await db.query('update parked_work set effect_id = null where id = $1', [id])
}

/** Workers without any are absent. */
export const parkedCounts = async (db: Db): Promise<Map<string, number>> => {
  const { rows } = await db.query<{ worker: string; keys: number }>(
    withTimeout('select worker, count(*)::int as keys from parked_work group by worker'),
  )
  return new Map(rows.map(({ worker, keys }) => [worker, keys]))
}
