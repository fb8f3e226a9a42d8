import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { withoutTimeout } from '../../postgres/without-timeout.ts'

/** Value in old rows until the rebuild: `notKnownYet` is null; `was` is an SQL constant true of every old row. */
export type AddedColumn<Value> = { was: string } | (null extends Value ? { notKnownYet: true } : never)

/** Columns are the fields in snake case; the key is one column. */
export interface Table<Row extends object> {
  name: string
  key: keyof Row & string
  /**
   * E.g. `text collate "C" not null` ("C" where compared or ordered). A changed type or meaning needs a new name, as old rows are still
   * read.
   */
  columns: { [C in keyof Row & string]: string }
  /** Columns newer than the first release of the table; others cannot be added. */
  added?: { [C in keyof Row & string]?: AddedColumn<Row[C]> }
  /** E.g. indexes; without schema names. */
  after?: readonly string[]
}

/** A tenant's column has been `owner` since the first release. */
const columnNames = new Map([['tenant', 'owner']])

/** `lastActivity` → `last_activity`; `tenant` → `owner` */
export const columnName = (field: string): string => {
  const known = columnNames.get(field)
  if (known !== undefined) return known
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(field, name)
  return name
}

export const fieldsOf = <Row extends object>(table: Table<Row>) => Object.keys(table.columns) as (keyof Row & string)[]

export const selectList = <Row extends object>(table: Table<Row>): string =>
  fieldsOf(table)
    .map((field) => `${columnName(field)} as "${field}"`)
    .join(', ')

/** Fastest to fill. Declares the key not null now, which later would scan the table. */
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

export const createTable = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<void> => {
  await createBareTable(db, table)
  await addKey(db, table)
  for (const statement of table.after ?? []) await db.query(statement)
}

/** Prepared once per connection, named by the hash of the text. */
export const prepared = (text: string) => ({ name: createHash('sha1').update(text).digest('hex'), text })

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

/** Valid in JSON but not in PostgreSQL text: NUL and lone surrogates. */
const unstorable = /[\0\p{Cs}]/gu
export const mayBeUnstorable = /\\u(0000|d[89a-f])/i

export const storable = (text: string): string => text.replace(unstorable, '\uFFFD')

export const rowsText = <Row extends object>(table: Table<Row>, rows: readonly Row[]): string => {
  const names = fieldsOf(table).map((field) => [field, columnName(field)] as const)
  const records = rows.map((row) => Object.fromEntries(names.map(([field, name]) => [name, row[field]])))
  const json = JSON.stringify(records)
  if (!mayBeUnstorable.test(json)) return json
  return JSON.stringify(records, (_, value) => (typeof value === 'string' ? storable(value) : value))
}

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

/** Of all rows whose column has one of the values. Without `set` they are deleted. */
export interface ManyRows<Row> {
  column: keyof Row & string
  values: readonly string[]
  set?: Partial<Row>
}

export const changeRows = async <Row extends object>(
  db: PoolClient,
  table: Table<Row>,
  { column, values, set }: ManyRows<Row>,
): Promise<void> => {
  const where = `where t.${columnName(column)} = any($1)`
  const stored = values.map(storable)
  if (!set) {
    await db.query(withoutTimeout(`delete from ${table.name} t ${where}`, stored))
    return
  }
  const changes = Object.keys(set).map((field) => `${columnName(field)} = s.${columnName(field)}`)
  const text = `update ${table.name} t set ${changes.join(', ')} from jsonb_populate_recordset(null::${table.name}, $2::jsonb) s ${where}`
  await db.query(withoutTimeout(text, stored, rowsText(table, [set as Row])))
}
