import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { beginning, type Position } from '../../event-store/port.ts'
import { announcements, type Changed, type Checkpoint, type ParkingChange } from './announcement.ts'
import { type Epoch, Overtaken } from './epochs.ts'

/** Channel on which every advance of a checkpoint is announced, in the form of `announcement.ts`. */
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
 * changed. A call that does not name them makes every tenant's views count as changed.
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

/**
 * Stores and announces how far a consumer is, in its epoch, in one statement. Throws `Overtaken`. Nobody waits for the
 * disk: a crash of the server may take the latest ones back, and events are handled again, as after a crash of the process.
 */
export const saveInEpoch = async (db: Pool, { worker, epoch }: Epoch, reached: Checkpoint): Promise<void> => {
  const { name, version, position } = reached
  const { rowCount } = await db.query({
    name: 'checkpoint in epoch',
    text: `with held_epoch as (
        select set_config('synchronous_commit', 'off', true) from worker_epoch where worker = $1 and epoch = $2 for share
      ), saved as (
        insert into checkpoint (name, version, position) select $3, $4, $5 from held_epoch
        on conflict (name) do update set version = excluded.version, position = excluded.position
      ), announced as (
        select pg_notify('${checkpointChannel}', payload) from unnest($6::text[]) payloads (payload)
        where exists (select from held_epoch)
      )
      select (select count(*) from announced) from held_epoch`,
    values: [worker, epoch, name, version, position, checkpointAnnouncements(reached, 'all')],
  })
  if (!rowCount) throw new Overtaken(`${worker} is run by another process`)
}

/**
 * Holds the checkpoint for this transaction; false when it stands elsewhere than expected. The transaction will not wait for
 * the disk: a crash of the server may take back the latest batches, rows and checkpoint together, and they are taken again.
 */
export const holdCheckpoint = async (
  db: PoolClient,
  name: string,
  version: number,
  expected: Position,
): Promise<boolean> => {
  const { rows } = await db.query({
    name: 'checkpoint hold',
    text: `select set_config('synchronous_commit', 'off', true) from checkpoint
           where name = $1 and version = $2 and position = $3 for update`,
    values: [name, version, expected],
  })
  return rows.length === 1
}

/** Where every consumer stands. */
export const allCheckpoints = async (db: Pool): Promise<Checkpoint[]> => {
  const { rows } = await db.query<Checkpoint>('select name, version, position from checkpoint')
  return rows
}

/** The row of a version of a read model that is being built beside the one that is shown; it goes when the new one is shown. */
export const rebuildOf = (name: string): string => `${name} (rebuild)`

/**
 * The same of a read model that is built anew in its version because an administrator asked for it. Its name differs, as the rows
 * that are shown meanwhile do not stand still: readers go on waiting for their own writes.
 */
export const renewalOf = (name: string): string => `${name} (renewal)`

/** Forgets a checkpoint; unannounced. */
export const removeCheckpoint = async (db: Pool | PoolClient, name: string): Promise<void> => {
  await db.query('delete from checkpoint where name = $1', [name])
}
