import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'
import { type Manifest, paths } from './manifest.ts'
import { type SchemaStatements, tablesOf } from './schema.ts'

export const isEmpty = async (db: Client): Promise<boolean> => (await tablesOf(db)).length === 0

/** Tables, rows, then constraints and indexes, in the caller's transaction: broken off, the database is empty as before. */
export const restoreDatabase = async (db: Client, folder: string, { tables }: Manifest): Promise<void> => {
  const at = paths(folder)
  const { before, after }: SchemaStatements = JSON.parse(await readFile(at.schema, 'utf8'))
  for (const statement of before) await db.query(statement)
  for (const { table, columns, file, rows } of tables) {
    const copy = from(`copy ${table} (${columns}) from stdin`)
    await pipeline(createReadStream(at.table(file)), createGunzip(), db.query(copy))
    if (copy.rowCount !== rows)
      throw new BackupError(`${table}: ${copy.rowCount} rows came back of ${rows}. Nothing was restored.`)
  }
  for (const statement of after) await db.query(statement)
  await db.query('analyze')
}
