import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { beginning, type Position } from '../event-store/port.ts'
import { announcements, type Changed, type ParkingChange } from './announcement.ts'

/** Positions are compared byte by byte, whatever the database's own collation. */
export const checkpointSchema = `
  create table if not exists checkpoint (
    name text collate "C" primary key,
    version int not null,
    position text collate "C" not null
  )`

/** Channel on which every advance of a checkpoint is announced, as `announcement.ts` says. */
export const checkpointChannel = 'prosa_checkpoint'

/** How far a consumer of this name and version has got; `beginning` when it never ran or ran in another version. */
export const loadCheckpoint = async (db: Pool | PoolClient, name: string, version: number): Promise<Position> => {
  const { rows } = await db.query('select position from checkpoint where name = $1 and version = $2', [name, version])
  return (rows[0]?.position as Position | undefined) ?? beginning
}

/** What is to be notified on `checkpointChannel`, in this order, by the transaction that moves a checkpoint. */
export const checkpointAnnouncements = (moved: Checkpoint, changed: Changed, parking?: ParkingChange): string[] =>
  announcements(moved, changed, randomUUID(), parking)

/**
 * Stores the checkpoint and announces it when the transaction commits, with the tenants whose rows the same transaction
 * changed. Whoever does not say which makes every tenant's views count as changed.
 */
export const saveCheckpoint = async (
  db: Pool | PoolClient,
  name: string,
  version: number,
  position: Position,
  changed: Changed = 'all',
  parking?: ParkingChange,
): Promise<void> => {
  await db.query(
    `with saved as (
       insert into checkpoint (name, version, position) values ($1, $2, $3)
       on conflict (name) do update set version = excluded.version, position = excluded.position
     )
     select pg_notify('${checkpointChannel}', payload) from unnest($4::text[]) as announced (payload)`,
    [name, version, position, checkpointAnnouncements({ name, version, position }, changed, parking)],
  )
}

export interface Checkpoint {
  name: string
  version: number
  position: Position
}

/** Where every consumer stands. */
export const allCheckpoints = async (db: Pool): Promise<Checkpoint[]> => {
  const { rows } = await db.query<Checkpoint>('select name, version, position from checkpoint')
  return rows
}

/** The row of a version of a read model that is being built beside the one that is shown; it goes when the new one is shown. */
export const rebuildOf = (name: string): string => `${name} (rebuild)`

/** Forgets a checkpoint; unannounced. */
export const removeCheckpoint = async (db: Pool | PoolClient, name: string): Promise<void> => {
  await db.query('delete from checkpoint where name = $1', [name])
}
