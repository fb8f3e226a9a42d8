import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { withoutTimeout } from '../../postgres/without-timeout.ts'

/**
 * What rows of a version that did not have a column show in it, until the read model is built anew: `notKnownYet` is null, which
 * readers have to take for that; `was` is a constant of SQL which is true of every row of such a version, since no event that it
 * could record led to anything else.
 */
export type AddedColumn<Value> = { was: string } | (null extends Value ? { notKnownYet: true } : never)

/** How the rows of a read model are stored. Columns are named as the row's fields, in snake case; the key is one column. */
export interface Table<Row extends object> {
  name: string
  key: keyof Row & string
  /**
   * PostgreSQL type by field, e.g. `text collate "C" not null`; text that is compared or ordered is collated "C". A column
   * whose type or meaning changes gets a new name: rows of the version before are read until the rebuild is done.
   */
  columns: { [C in keyof Row & string]: string }
  /** The columns that came after the first release which had the table; one that is missing here is refused when it has to be added. */
  added?: { [C in keyof Row & string]?: AddedColumn<Row[C]> }
  /** Statements to run after the table was created, e.g. indexes; they name no schema. */
  after?: readonly string[]
}

/** The fields of all tables: each is written with every message. */
const columnNames = new Map<string, string>()

/** `lastActivity` → `last_activity` */
export const columnName = (field: string): string => {
  const known = columnNames.get(field)
  if (known !== undefined) return known
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(field, name)
  return name
}

export const fieldsOf = <Row extends object>(table: Table<Row>) => Object.keys(table.columns) as (keyof Row & string)[]

/** The columns of a table as a select list that yields its rows. */
export const selectList = <Row extends object>(table: Table<Row>): string =>
  fieldsOf(table)
    .map((field) => `${columnName(field)} as "${field}"`)
    .join(', ')

/**
 * Makes the table without its key and indexes: so it is filled fastest. That the key is never empty is declared at once, or
 * the whole table would be read for it later.
 */
export const createBareTable = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<void> => {
  const columns = fieldsOf(table).map((field) => `${columnName(field)} ${table.columns[field]}`)
  const key = columnName(table.key)
  await db.query(
    `create table ${table.name} (${columns.join(', ')}); alter table ${table.name} alter ${key} set not null`,
  )
}

export const addKey = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<void> => {
  await db.query(withoutTimeout(`alter table ${table.name} add primary key (${columnName(table.key)})`))
}

/** Makes the table as it is declared. */
export const createTable = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<void> => {
  await createBareTable(db, table)
  await addKey(db, table)
  for (const statement of table.after ?? []) await db.query(statement)
}

/** A statement that a connection prepares once. Named after its text, which another version of the read model changes. */
export const prepared = (text: string) => ({ name: createHash('sha1').update(text).digest('hex'), text })

/** The rows of these keys that exist, by key. */
export const loadRows = async <Row extends object>(
  db: Pool | PoolClient,
  table: Table<Row>,
  keys: readonly string[],
): Promise<Map<string, Row>> => {
  const { rows } = await db.query<Row>({
    ...prepared(`select ${selectList(table)} from ${table.name} where ${columnName(table.key)} = any($1)`),
    values: [keys],
  })
  return new Map(rows.map((row) => [String(row[table.key]), row]))
}

/** Characters that JSON carries and PostgreSQL's text does not: NUL and halves of surrogate pairs. */
const unstorable = /[\0\p{Cs}]/gu
export const mayBeUnstorable = /\\u(0000|d[89a-f])/i

/** The text with a replacement character in place of each character that PostgreSQL cannot store. */
export const storable = (text: string): string => text.replace(unstorable, '\uFFFD')

/** Rows as `upsertStatement` takes them. */
export const rowsText = <Row extends object>(table: Table<Row>, rows: readonly Row[]): string => {
  const names = fieldsOf(table).map((field) => [field, columnName(field)] as const)
  const records = rows.map((row) => Object.fromEntries(names.map(([field, name]) => [name, row[field]])))
  const json = JSON.stringify(records)
  if (!mayBeUnstorable.test(json)) return json
  return JSON.stringify(records, (_, value) => (typeof value === 'string' ? storable(value) : value))
}

/** Writes whole rows, new or not, out of the parameter of this number; only where the condition holds, if there is one. */
export const upsertStatement = <Row extends object>(
  table: Table<Row>,
  parameter: number,
  condition = 'true',
): string => {
  const names = fieldsOf(table).map(columnName)
  const changes = names.filter((name) => name !== columnName(table.key)).map((name) => `${name} = excluded.${name}`)
  return `insert into ${table.name} (${names.join(', ')})
          select ${names.join(', ')} from jsonb_populate_recordset(null::${table.name}, $${parameter}::jsonb) where ${condition}
          on conflict (${columnName(table.key)}) do update set ${changes.join(', ')}`
}

/** Writes whole rows, new or not, with one statement. */
export const upsertRows = async <Row extends object>(
  db: PoolClient,
  table: Table<Row>,
  rows: readonly Row[],
): Promise<void> => {
  if (rows.length > 0) await db.query({ ...prepared(upsertStatement(table, 1)), values: [rowsText(table, rows)] })
}

export const deleteRows = async <Row extends object>(
  db: PoolClient,
  table: Table<Row>,
  keys: readonly string[],
): Promise<void> => {
  if (keys.length > 0) await db.query(`delete from ${table.name} where ${columnName(table.key)} = any($1)`, [keys])
}

/** Deletes the rows that hold one of these values in a text column. */
export const purgeRows = async <Row extends object>(
  db: PoolClient,
  table: Table<Row>,
  column: keyof Row & string,
  values: readonly string[],
): Promise<void> => {
  await db.query(withoutTimeout(`delete from ${table.name} where ${columnName(column)} = any($1)`, values))
}
