import type { Position } from '@prosa/kernel/event-store/port'
import pg, { escapeIdentifier, type Pool, type PoolClient } from 'pg'

/** Where versions are built that nobody reads yet: tables and indexes there have the names that they keep. */
export const rebuildSchema = 'rebuild'

/** Whoever prepares or rebuilds this read model waits here for the others, until the transaction ends. */
export const lockPreparation = async (db: PoolClient, name: string): Promise<void> => {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('prepare ' || $1, 0))`, [name])
}

/** The version that built the table; undefined when there is no table. */
export const builtVersion = async (db: PoolClient, name: string, table: string): Promise<number | undefined> => {
  const { rows } = await db.query<{ version: number }>(
    'select version from checkpoint where name = $1 and to_regclass($2) is not null',
    [name, table],
  )
  return rows[0]?.version
}

/** Version and position of what readers see; undefined before the read model was prepared. */
export const shownVersion = async (
  db: Pool,
  name: string,
): Promise<{ version: number; position: Position } | undefined> => {
  const { rows } = await db.query<{ version: number; position: Position }>(
    'select version, position from checkpoint where name = $1',
    [name],
  )
  return rows[0]
}

/**
 * Holds the checkpoint for this transaction; false when it stands elsewhere than expected. The transaction will not wait for
 * the disk: a crash of the server may take back the latest batches, rows and checkpoint together, and they are folded again.
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

/** Where a rebuild stands whose table is there; undefined where there is none. Holds it for this transaction. */
export const standingRebuild = async (
  db: PoolClient,
  name: string,
  table: string,
): Promise<{ version: number; position: Position } | undefined> => {
  const { rows } = await db.query<{ version: number; position: Position }>(
    'select version, position from checkpoint where name = $1 and to_regclass($2) is not null for update',
    [name, table],
  )
  return rows[0]
}

/** All read models make this schema: one after the other. */
export const createRebuildSchema = async (db: PoolClient): Promise<void> => {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('schema ${rebuildSchema}', 0))`)
  await db.query(`create schema if not exists ${rebuildSchema}`)
}

export const dropTable = async (db: PoolClient, table: string): Promise<void> => {
  await db.query(`drop table if exists ${table}`)
}

/** Statements of this transaction that name no schema mean the tables that are being built. */
export const insideRebuildSchema = async (db: PoolClient): Promise<void> => {
  await db.query(`select set_config('search_path', '${rebuildSchema},' || current_setting('search_path'), true)`)
}

/** Statistics, and the mark that a rebuilt table is as it is declared. */
export const markComplete = async (db: PoolClient, table: string): Promise<void> => {
  await db.query(`analyze ${table}`)
  await db.query(`comment on table ${table} is 'complete'`)
}

export const isMarkedComplete = async (db: PoolClient, table: string): Promise<boolean> => {
  const { rows } = await db.query(`select obj_description(to_regclass($1), 'pg_class') = 'complete' as complete`, [
    table,
  ])
  return rows[0]?.complete === true
}

/**
 * Who changes a table waits for its readers, and new readers wait behind whoever changes it: statements of this transaction
 * give up after 200 ms, lest all wait for one reader who is slow. Then the transaction may be repeated (`isCrowded`).
 */
export const waitBriefly = async (db: PoolClient): Promise<void> => {
  await db.query(`set local lock_timeout = '200ms'`)
}

export const isCrowded = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03'

/** Puts the table that was built in the place of the one that readers see, which is dropped. */
export const replaceTable = async (db: PoolClient, table: string): Promise<void> => {
  await db.query(`drop table if exists ${table}`)
  const { rows } = await db.query<{ schema: string }>('select current_schema() as schema')
  const [found] = rows
  if (!found) throw new Error('the database has no schema to keep read models in')
  await db.query(`comment on table ${rebuildSchema}.${table} is null`)
  await db.query(`alter table ${rebuildSchema}.${table} set schema ${escapeIdentifier(found.schema)}`)
}

export interface Column {
  name: string
  /** The type with its length and collation, as text to compare and to show. */
  type: string
  isRequired: boolean
}

/** The columns of a table in its order; none where there is no such table. */
export const columnsOf = async (db: PoolClient, table: string): Promise<Column[]> => {
  const { rows } = await db.query<Column>(
    `select a.attname as name, a.attnotnull as "isRequired",
            format_type(a.atttypid, a.atttypmod) || coalesce(' collate ' || nullif(c.collname, 'default'), '') as type
     from pg_attribute a left join pg_collation c on c.oid = a.attcollation
     where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table],
  )
  return rows
}
