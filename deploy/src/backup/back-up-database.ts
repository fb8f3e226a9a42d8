import { createWriteStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { maxTimeout } from '@prosa/kernel/postgres/without-timeout'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'
import { digestOf, type Manifest, paths } from './manifest.ts'
import { readSchema, tablesOf, unsupportedIn } from './schema.ts'

/** Tables under construction are not part of a backup: a rebuild begins anew. */
const without = ['rebuild']

/**
 * Holds every table as it is and opens one snapshot of all. A read model's table that is replaced meanwhile would be empty in the snapshot,
 * so the list is compared after the locks are held.
 */
export const openSnapshot = async (db: Client): Promise<string[]> => {
  for (let attempt = 0; attempt < 20; attempt++) {
    const tables = await tablesOf(db, without)
    if (tables.length === 0) throw new BackupError('The database holds nothing yet: there is nothing to back up.')
    await db.query('begin transaction isolation level repeatable read, read only')
    try {
      // Precedes every query: only then is the snapshot younger than the locks.
      await db.query(`lock table ${tables.join(', ')} in access share mode`)
      if ((await tablesOf(db, without)).join() === tables.join()) return tables
    } catch (error) {
      await db.query('rollback')
      if (!isMissingTable(error)) throw error
      continue
    }
    await db.query('rollback')
  }
  throw new BackupError('Tables changed for the whole time. Try again when no read model is being rebuilt.')
}

const isMissingTable = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42P01'

export type DatabaseParts = Pick<Manifest, 'takenAt' | 'postgres' | 'masters' | 'schema' | 'tables'>

/** Writes schema and rows of one snapshot; the transaction stays open, the caller ends it. */
export const backUpDatabase = async (db: Client, folder: string): Promise<DatabaseParts> => {
  const at = paths(folder)
  await rm(dirname(at.schema), { recursive: true, force: true })
  await mkdir(dirname(at.schema), { recursive: true, mode: 0o700 })
  const tables = await openSnapshot(db)
  const takenAt = new Date().toISOString()
  const unsupported = await unsupportedIn(db, without)
  if (unsupported.length > 0)
    throw new BackupError(`The database has what this backup would leave out: ${unsupported.join(', ')}. Use pg_dump.`)
  await writeDurably(at.schema, JSON.stringify(await readSchema(db, without)))
  const parts: Manifest['tables'] = []
  for (const [index, table] of tables.entries()) {
    const file = `${String(index).padStart(4, '0')}.copy.gz`
    const columns = await columnsOf(db, table)
    const rows = await copyOut(db, `copy ${table} (${columns}) to stdout`, at.table(file))
    parts.push({ table, columns, file, rows, ...(await digestOf(at.table(file))) })
  }
  const { rows: versions } = await db.query<{ postgres: string }>(
    "select current_setting('server_version') as postgres",
  )
  return {
    takenAt,
    postgres: versions[0]?.postgres ?? '',
    masters: await mastersOf(db, tables),
    schema: await digestOf(at.schema),
    tables: parts,
  }
}

const columnsOf = async (db: Client, table: string): Promise<string> => {
  const { rows } = await db.query<{ columns: string }>(
    `select string_agg(format('%I', attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  return rows[0]?.columns ?? ''
}

const copyOut = async (db: Client, statement: string, path: string): Promise<number> => {
  const copy = Object.assign(to(statement), { query_timeout: maxTimeout })
  await pipeline(db.query(copy), createGzip({ level: 1 }), createWriteStream(path, { mode: 0o600, flush: true }))
  return copy.rowCount ?? 0
}

const mastersOf = async (db: Client, tables: readonly string[]): Promise<string[]> => {
  if (!tables.includes('public.house_key')) return []
  const { rows } = await db.query<{ master: string }>(
    'select master from house_key union select master from subject_key where wrapped is not null order by 1',
  )
  return rows.map(({ master }) => master)
}

export const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
