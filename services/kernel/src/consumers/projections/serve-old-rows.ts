import type { PoolClient } from 'pg'
import { type Column, columnsOf, dropTable } from './queries.ts'
import { columnName, createBareTable, fieldsOf, type Table } from './table.ts'

/** A column means something else in this version, so that no query can read both. */
export class ColumnRedefined extends Error {
  override name = 'ColumnRedefined'
}

/** What a column without a default shows in rows that were written before it was there; jsonb has nothing of the kind. */
const nothing: Record<string, string> = {
  text: `''`,
  int: '0',
  integer: '0',
  bigint: '0',
  smallint: '0',
  numeric: '0',
  boolean: 'false',
}

const nothingOf = (type: string): string | undefined => nothing[/^\w+/.exec(type)?.[0] ?? '']

/** The declaration of a column as it can be added to a table with rows. */
const addable = (declared: string): string => {
  if (!/\bnot null\b/.test(declared) || /\bdefault\b/.test(declared)) return declared
  const value = nothingOf(declared)
  return value === undefined ? declared.replace(/\bnot null\b/, '') : `${declared} default ${value}`
}

/** The columns as PostgreSQL understands the declaration. */
const declaredColumns = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<Map<string, Column>> => {
  const name = `pg_temp.declared_${table.name}`
  await createBareTable(db, { ...table, name })
  const columns = await columnsOf(db, name)
  await dropTable(db, name)
  return new Map(columns.map((column) => [column.name, column]))
}

/**
 * Makes the rows of another version readable for the queries of this one: columns that it did not have are added, empty or
 * with their default, and required ones that it left empty are filled. Columns that this version does not have stay, for
 * processes of the other version that may still run. Throws `ColumnRedefined`.
 */
export const serveOldRows = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<void> => {
  const declared = await declaredColumns(db, table)
  const standing = new Map((await columnsOf(db, table.name)).map((column) => [column.name, column]))
  for (const field of fieldsOf(table)) {
    const name = columnName(field)
    const old = standing.get(name)
    const type = declared.get(name)?.type
    if (!old) await db.query(`alter table ${table.name} add column ${name} ${addable(table.columns[field])}`)
    else if (old.type !== type)
      throw new ColumnRedefined(
        `${table.name}.${name} was ${old.type} and is ${type} now: give the new column a name of its own`,
      )
    else await fillEmpty(db, table, field, old)
  }
}

const fillEmpty = async <Row extends object>(
  db: PoolClient,
  table: Table<Row>,
  field: keyof Row & string,
  old: Column,
): Promise<void> => {
  const value = nothingOf(table.columns[field])
  if (old.isRequired || value === undefined || !/\bnot null\b/.test(table.columns[field])) return
  await db.query(`update ${table.name} set ${old.name} = ${value} where ${old.name} is null`)
}
