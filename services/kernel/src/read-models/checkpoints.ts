import type { Pool, PoolClient } from 'pg'
import { beginning, type Position } from '../event-store/port.ts'

/** Positions are compared byte by byte, whatever the database's own collation. */
export const checkpointSchema = `
  create table if not exists checkpoint (
    name text collate "C" primary key,
    version int not null,
    position text collate "C" not null
  )`

/** Channel on which every advance of a checkpoint is announced, with the payload `name position`. */
export const checkpointChannel = 'prosa_checkpoint'

/** How far a consumer of this name and version has got; `beginning` when it never ran or ran in another version. */
export const loadCheckpoint = async (db: Pool | PoolClient, name: string, version: number): Promise<Position> => {
  const { rows } = await db.query('select position from checkpoint where name = $1 and version = $2', [name, version])
  return (rows[0]?.position as Position | undefined) ?? beginning
}

/** Stores the checkpoint and announces it when the transaction commits. */
export const saveCheckpoint = async (
  db: Pool | PoolClient,
  name: string,
  version: number,
  position: Position,
): Promise<void> => {
  await db.query(
    `with saved as (
       insert into checkpoint (name, version, position) values ($1, $2, $3)
       on conflict (name) do update set version = excluded.version, position = excluded.position
     )
     select pg_notify('${checkpointChannel}', $1 || ' ' || $3)`,
    [name, version, position],
  )
}

/** Where every consumer stands. */
export const allCheckpoints = async (db: Pool): Promise<Map<string, Position>> => {
  const { rows } = await db.query('select name, position from checkpoint')
  return new Map(rows.map(({ name, position }) => [name, position]))
}
