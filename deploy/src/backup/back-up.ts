import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg, { type Client } from 'pg'
import { backUpDatabase } from './back-up-database.ts'
import { backUpFiles } from './back-up-files.ts'
import { BackupError } from './backup-error.ts'
import { type Manifest, paths, writeManifest } from './manifest.ts'

export interface BackupSource {
  databaseUrl: string
  /** Undefined: in S3, which is backed up by its own means. */
  filesFolder: string | undefined
  /** Those that exist are kept beside the backup, too. */
  erasuresFile: string
  /** End of an EventStoreDB that holds the log. */
  externalLog?: () => Promise<string | null>
}

/** Without time-outs: a table may take long. */
export const connectUntimed = async (url: string): Promise<Client> => {
  const db = new pg.Client({
    connectionString: url,
    application_name: 'prosa backup',
    idle_in_transaction_session_timeout: 0,
    keepAlive: true,
  })
  // The query in hand fails with the same error.
  db.on('error', () => undefined)
  await db.connect()
  return db
}

const requireOwnFolder = async (folder: string): Promise<void> => {
  if (existsSync(paths(folder).manifest))
    throw new BackupError(`${folder} already holds a complete backup. Name another folder.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ours = new Set(['database', 'files', 'files.jsonl', 'erasures.jsonl', 'manifest.json.draft'])
  const unexpected = (await readdir(folder)).filter((name) => !ours.has(name))
  if (unexpected.length > 0)
    throw new BackupError(`${folder} holds something else (${unexpected[0]}). Name an empty folder.`)
}

/** With the log outside, only a stopped product makes database and log one state. */
const requireStopped = async (db: Client): Promise<void> => {
  const { rows } = await db.query<{ users: number }>(
    `select count(*)::int as users from pg_stat_activity
     where datname = current_database() and application_name = 'prosa' and pid <> pg_backend_pid()`,
  )
  if (rows[0]?.users)
    throw new BackupError(
      'The log is in an EventStoreDB: its backup and this one must be of the same moment. Stop every process of Prosa, ' +
        'run this, back up the EventStoreDB, start again (docs/operating.md, Backups).',
    )
}

const logOf = async (db: Client, { externalLog }: BackupSource): Promise<Manifest['log']> => {
  if (externalLog) return { kind: 'eventstoredb', position: await externalLog(), events: null }
  const { rows } = await db.query<{ position: string | null; events: string }>(
    'select max(position)::text as position, count(*)::text as events from es.event',
  )
  return { kind: 'postgres', position: rows[0]?.position ?? null, events: Number(rows[0]?.events) }
}

/**
 * One consistent state into `folder`, while the product writes; a broken-off one goes on when repeated. Throws `BackupError`. The master
 * secret is not in it.
 */
export const backUp = async (source: BackupSource, target: string): Promise<Manifest> => {
  const folder = resolve(target)
  await requireOwnFolder(folder)
  const db = await connectUntimed(source.databaseUrl)
  try {
    if (source.externalLog) await requireStopped(db)
    const parts = await backUpDatabase(db, folder)
    const log = await logOf(db, source)
    await db.query('commit')
    const files: Manifest['files'] =
      source.filesFolder === undefined ? { kind: 's3' } : await backUpFiles(source.filesFolder, folder)
    const at = paths(folder)
    await rm(at.erasures, { force: true })
    if (existsSync(source.erasuresFile)) await copyFile(source.erasuresFile, at.erasures)
    const manifest: Manifest = { format: 1, id: randomUUID(), log, files, ...parts }
    await writeManifest(folder, manifest)
    return manifest
  } finally {
    await db.end()
  }
}
