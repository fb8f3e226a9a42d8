import type { Pool } from 'pg'
import { readSchema, tablesOf } from '../src/backup/schema.ts'

export interface DatabaseDump {
  before: string[]
  rows: { table: string; records: string[] }[]
  after: string[]
}

export const dumpDatabase = async (pool: Pool): Promise<DatabaseDump> => {
  const { before, after } = await readSchema(pool)
  const rows: DatabaseDump['rows'] = []
  for (const table of await tablesOf(pool)) {
    const { rows: records } = await pool.query<{ text: string }>(`select t::text as text from ${table} t`)
    if (records.length > 0) rows.push({ table, records: records.map(({ text }) => text) })
  }
  return { before, rows, after }
}

export const restoreDatabase = async (pool: Pool, { before, rows, after }: DatabaseDump): Promise<void> => {
  for (const statement of before) await pool.query(statement)
  for (const { table, records } of rows)
    await pool.query(`insert into ${table} select (record::${table}).* from unnest($1::text[]) as r (record)`, [
      records,
    ])
  for (const statement of after) await pool.query(statement)
}
