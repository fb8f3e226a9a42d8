import type { PoolClient } from 'pg'
import { type Column, columnsOf, dropTable } from '../queries.ts'
import { columnName, createBareTable, fieldsOf, type Table } from '../table.ts'

/** No query can read both meanings of the column. */
export class ColumnRedefined extends Error {
  override name = 'ColumnRedefined'
}

export class ColumnUndeclared extends Error {
  override name = 'ColumnUndeclared'
}

const addedTo = <Row extends object>({ name, added }: Table<Row>, field: keyof Row & string): { was?: string } => {
  const declared: { was?: string; notKnownYet?: true } | undefined = added?.[field]
  if (declared) return declared
  throw new ColumnUndeclared(
    `${name}.${columnName(field)} is not in the rows of an earlier version: declare in 'added' of its table what they show there ` +
      'until they are built anew (decision 0052)',
  )
}

const addable = <Row extends object>(table: Table<Row>, field: keyof Row & string): string => {
  const declared = table.columns[field]
  const { was } = addedTo(table, field)
  if (was === undefined) return declared.replace(/\bnot null\b|\bdefault\b.*$/g, '')
  return `${declared.replace(/\bdefault\b.*$/, '')} default ${was}`
}

/** As PostgreSQL normalizes the declaration. */
const declaredColumns = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<Map<string, Column>> => {
  const name = `pg_temp.declared_${table.name}`
  await createBareTable(db, { ...table, name })
  const columns = await columnsOf(db, name)
  await dropTable(db, name)
  return new Map(columns.map((column) => [column.name, column]))
}

/**
 * Adds missing columns with null or a constant, without a table rewrite; keeps others for processes of that version. Throws
 * `ColumnRedefined`, `ColumnUndeclared`.
 */
export const serveOldRows = async <Row extends object>(db: PoolClient, table: Table<Row>): Promise<void> => {
  const declared = await declaredColumns(db, table)
  const existing = new Map((await columnsOf(db, table.name)).map((column) => [column.name, column]))
  for (const field of fieldsOf(table)) {
    const name = columnName(field)
    const old = existing.get(name)
    const column = declared.get(name)
    if (!old) await db.query(`alter table ${table.name} add column ${name} ${addable(table, field)}`)
    else if (old.type !== column?.type)
      throw new ColumnRedefined(
        `${table.name}.${name} was ${old.type} and is ${column?.type} now: give the new column a name of its own`,
      )
    else if (column.isRequired && !old.isRequired) addedTo(table, field)
  }
}
