import pg, { escapeIdentifier, type Pool, type PoolClient } from 'pg'
import type { Position } from '../../event-store/port.ts'
import { withoutTimeout } from '../../postgres/without-timeout.ts'
import type { Changed } from '../engine/announcement.ts'
import { checkpointAnnouncements, checkpointChannel } from '../engine/checkpoints.ts'
import { columnName, prepared, type Table, upsertStatement } from './table.ts'

/** Tables under construction have their final names. */
export const rebuildSchema = 'rebuild'

export const lockPreparation = async (db: PoolClient, name: string): Promise<void> => {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('prepare ' || $1, 0))`, [name])
}

/** Undefined when there is no table. */
export const builtVersion = async (db: PoolClient, name: string, table: string): Promise<number | undefined> => {
  const { rows } = await db.query<{ version: number }>(
    'select version from checkpoint where name = $1 and to_regclass($2) is not null',
    [name, table],
  )
  return rows[0]?.version
}

export const hasLog = async (db: PoolClient): Promise<boolean> => {
  const { rows } = await db.query<{ exists: boolean }>(`select exists (select from checkpoint where position > '')`)
  return rows[0]?.exists === true
}

export const isAnyBuilt = async (db: PoolClient): Promise<boolean> => {
  const { rows } = await db.query<{ exists: boolean }>(
    'select exists (select from checkpoint join read_model using (name) where version > 0)',
  )
  return rows[0]?.exists === true
}

/** Undefined before preparation. */
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

export interface Change {
  name: string
  version: number
  expected: Position
  upTo: Position
  tenants: Changed
  rows?: {
    table: Pick<Table<Record<string, unknown>>, 'name' | 'key' | 'columns'>
    text: string
    /** Keys that must not exist. */
    absent: readonly string[]
  }
}

const commonParameters = 6
type WrittenTable = NonNullable<Change['rows']>['table']

/** Three parameters per table: read model, rows as text, keys that must be absent. */
const moveStatement = (tables: readonly WrittenTable[]) => {
  const guards: string[] = []
  const writes: string[] = []
  for (const [index, table] of tables.entries()) {
    const first = commonParameters + 3 * index
    const [nameAt, textAt, absentAt] = [first + 1, first + 2, first + 3]
    const isThere = `exists (select from ${table.name} where ${columnName(table.key)} = any($${absentAt}::text[]))`
    guards.push(`and not (w.name = $${nameAt}::text and ${isThere})`)
    const hasMoved = `exists (select from moved where name = $${nameAt}::text)`
    writes.push(`, written_${index} as (${upsertStatement(table, textAt, hasMoved)})`)
  }
  return prepared(`with moved as (
      update checkpoint c set position = w.position
      from unnest($1::text[], $2::int[], $3::text[], $4::text[]) w (name, version, expected, position)
      where c.name = w.name and c.version = w.version and c.position = w.expected ${guards.join(' ')}
      returning c.name, set_config('synchronous_commit', 'off', true)
    ) ${writes.join(' ')}, notified as (
      select pg_notify('${checkpointChannel}', payload) from (
        select payload from unnest($5::text[], $6::text[]) with ordinality a (name, payload, place)
        where name in (select name from moved) order by place
      ) announced
    )
    select name, (select count(*) from notified) from moved`)
}

const numbers = new WeakMap<WrittenTable, number>()
let numbered = 0
const numberOf = (table: WrittenTable): number => {
  const number = numbers.get(table) ?? numbered++
  numbers.set(table, number)
  return number
}
/** Cached by table numbers: the long text repeats. */
const moveStatements = new Map<string, ReturnType<typeof moveStatement>>()

const moveStatementOf = (tables: readonly WrittenTable[]) => {
  const key = tables.map(numberOf).join()
  const statement = moveStatements.get(key) ?? moveStatement(tables)
  moveStatements.set(key, statement)
  return statement
}

/**
 * Returns the names written; others had another checkpoint or an existing row and are unchanged. Asynchronous commit, as `holdCheckpoint`.
 */
export const moveTogether = async (pool: Pool, changes: readonly Change[]): Promise<Set<string>> => {
  const notifications = changes.flatMap(({ name, version, upTo, tenants }) =>
    checkpointAnnouncements({ name, version, position: upTo }, tenants).map((payload) => ({ name, payload })),
  )
  const written = changes.flatMap(({ name, rows }) => (rows ? [{ name, ...rows }] : []))
  // Sorted, so that each set of tables has one prepared statement.
  written.sort((a, b) => (a.table.name < b.table.name ? -1 : 1))
  const { rows } = await pool.query<{ name: string }>({
    ...moveStatementOf(written.map(({ table }) => table)),
    values: [
      changes.map(({ name }) => name),
      changes.map(({ version }) => version),
      changes.map(({ expected }) => expected),
      changes.map(({ upTo }) => upTo),
      notifications.map(({ name }) => name),
      notifications.map(({ payload }) => payload),
      ...written.flatMap(({ name, text, absent }) => [name, text, absent]),
    ],
  })
  return new Set(rows.map(({ name }) => name))
}

/** Keeps released events by default. */
export const forgetParked = async (
  db: PoolClient,
  worker: string,
  { alsoReleased }: { alsoReleased: boolean },
): Promise<void> => {
  await db.query('delete from parked_event where worker = $1 and (not is_settled or $2)', [worker, alsoReleased])
  await db.query('delete from parked_work where worker = $1', [worker])
}

export const takeOverParked = async (db: PoolClient, rebuilt: string, worker: string): Promise<void> => {
  await forgetParked(db, worker, { alsoReleased: true })
  await db.query('update parked_event set worker = $2 where worker = $1', [rebuilt, worker])
  await db.query('update parked_work set worker = $2 where worker = $1', [rebuilt, worker])
}

export const releasedPositions = async (db: Pool, worker: string): Promise<Set<Position>> => {
  const { rows } = await db.query<{ position: Position }>(
    'select position from parked_event where worker = $1 and is_settled',
    [worker],
  )
  return new Set(rows.map(({ position }) => position))
}

export const deleteParkedEvents = async (
  db: PoolClient,
  worker: string,
  positions: readonly Position[],
): Promise<void> => {
  await db.query('delete from parked_event where worker = $1 and position = any($2)', [worker, positions])
}

/** Position of the rebuild, locked for the transaction; undefined without a table. */
export const currentRebuild = async (
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

const fillingLock = `hashtextextended('fill ' || $1, 0)`

/** Lets `endFilling` find the transaction. */
export const markFilling = async (db: PoolClient, name: string): Promise<void> => {
  await db.query(`select pg_advisory_xact_lock(${fillingLock})`, [name])
}

/** Terminates another process's fill; needs the projection's lock. No server time-out ends a process frozen during COPY. */
export const endFilling = async (db: PoolClient, name: string): Promise<void> => {
  await db.query(
    `select pg_terminate_backend(pid, 5000) from pg_locks
     where locktype = 'advisory' and objsubid = 1 and ((classid::bigint << 32) | objid::bigint) = ${fillingLock}
       and database = (select oid from pg_database where datname = current_database())`,
    [name],
  )
}

/** Serialized. A connection caches that the schema is missing, even for `if not exists`; reading the catalogue refreshes it. */
export const createRebuildSchema = async (db: PoolClient): Promise<void> => {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('schema ${rebuildSchema}', 0))`)
  const { rowCount } = await db.query('select from pg_namespace where nspname = $1', [rebuildSchema])
  if (rowCount === 0) await db.query(`create schema if not exists ${rebuildSchema}`)
}

export const dropTable = async (db: PoolClient, table: string): Promise<void> => {
  await db.query(`drop table if exists ${table}`)
}

/** Unqualified names mean the tables under construction. */
export const insideRebuildSchema = async (db: PoolClient): Promise<void> => {
  await db.query(`select set_config('search_path', '${rebuildSchema},' || current_setting('search_path'), true)`)
}

/** Statistics and the completion mark. */
export const markComplete = async (db: PoolClient, table: string): Promise<void> => {
  await db.query(withoutTimeout(`analyze ${table}`))
  await db.query(`comment on table ${table} is 'complete'`)
}

export const isMarkedComplete = async (db: PoolClient, table: string): Promise<boolean> => {
  const { rows } = await db.query(`select obj_description(to_regclass($1), 'pg_class') = 'complete' as complete`, [
    table,
  ])
  return rows[0]?.complete === true
}

/** 200 ms: readers queue behind a waiting ALTER. The transaction may be retried (`isCrowded`). */
export const waitBriefly = async (db: PoolClient): Promise<void> => {
  await db.query(`set local lock_timeout = '200ms'`)
}

export const isCrowded = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03'

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
  /** With length and collation. */
  type: string
  isRequired: boolean
}

/** Empty where there is no table. */
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
