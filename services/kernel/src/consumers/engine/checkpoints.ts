import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { beginning, type Position } from '../../event-store/port.ts'
import { announcements, type Changed, type Checkpoint, type ParkingChange } from './announcement.ts'
import { type Epoch, Overtaken } from './epochs.ts'

/** Payloads: `announcement.ts`. */
export const checkpointChannel = 'prosa_checkpoint'

/** `beginning` when it never ran or ran in another version. */
export const loadCheckpoint = async (db: Pool | PoolClient, name: string, version: number): Promise<Position> => {
  const { rows } = await db.query('select position from checkpoint where name = $1 and version = $2', [name, version])
  return (rows[0]?.position as Position | undefined) ?? beginning
}

export const checkpointAnnouncements = (moved: Checkpoint, changed: Changed, parking?: ParkingChange): string[] =>
  announcements(moved, changed, randomUUID(), parking)

/** Notifies on commit. Without `changed` all tenants' rows count as changed. */
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

/** Throws `Overtaken`. Asynchronous commit: a server crash may repeat events. */
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

/** Locks the checkpoint; false when it is another. Asynchronous commit: a server crash may lose rows and checkpoint together. */
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

export const allCheckpoints = async (db: Pool): Promise<Checkpoint[]> => {
  const { rows } = await db.query<Checkpoint>('select name, version, position from checkpoint')
  return rows
}

/** Checkpoint name of a new version under construction. */
export const rebuildOf = (name: string): string => `${name} (rebuild)`

/** Rebuild in the same version: named apart, as readers still wait for live rows. */
export const renewalOf = (name: string): string => `${name} (renewal)`

/** Without a notification. */
export const removeCheckpoint = async (db: Pool | PoolClient, name: string): Promise<void> => {
  await db.query('delete from checkpoint where name = $1', [name])
}
