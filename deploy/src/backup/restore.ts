import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Subject } from '@prosa/contracts/events/subjects'
import type { Ports } from '@prosa/kernel/ports'
import { fileErasureJournal, readErasures } from '@prosa/kernel/privacy/erasure-journal'
import { masterKeys, WrongMasterSecret } from '@prosa/kernel/privacy/master-keys'
import type { Client } from 'pg'
import { connectUntimed } from './back-up.ts'
import { writeDurably } from './back-up-database.ts'
import { namesIn } from './back-up-files.ts'
import { BackupError } from './backup-error.ts'
import { type Manifest, paths, verifyBackup } from './manifest.ts'
import { replayErasures } from './replay-erasures.ts'
import { isEmpty, restoreDatabase } from './restore-database.ts'
import { restoreFiles } from './restore-files.ts'

export interface RestoreTarget {
  databaseUrl: string
  /** Exists until the restore is finished; holds the backup's id. */
  restoringFile: string
  /** Undefined: files are in S3. */
  filesFolder: string | undefined
  erasuresFile: string
  secrets: readonly Uint8Array[]
  /** End of an EventStoreDB that holds the log. */
  externalLog?: () => Promise<string | null>
  /** Of the restored database, brought to this version; closed by the caller's `work`. */
  withPorts: <T>(work: (ports: Ports) => Promise<T>) => Promise<T>
}

export interface RestoreOptions {
  /** Further journals, such as those of other machines. */
  erasures?: readonly string[]
  /** Accepts that people erased since the backup come back. */
  withoutErasures?: boolean
}

export interface Restored {
  manifest: Manifest
  files: number
  erased: number
}

/** Refuses before anything is written: a damaged backup, another secret, an installation with data, a missing journal. */
export const restore = async (target: RestoreTarget, from: string, options: RestoreOptions = {}): Promise<Restored> => {
  const folder = resolve(from)
  const manifest = await verifyBackup(folder)
  requireSecrets(manifest, target.secrets)
  requireSameKind(manifest, target)
  const subjects = await erasuresFor(folder, target, options)
  const db = await connectUntimed(target.databaseUrl)
  let files = 0
  try {
    const isResumed = await requireRoom(db, target, manifest)
    if (!isResumed) await requireSameLog(manifest, target)
    await mkdir(dirname(target.restoringFile), { recursive: true })
    await writeDurably(target.restoringFile, manifest.id)
    if (!isResumed) {
      await db.query('begin')
      await restoreDatabase(db, folder, manifest)
      if (target.filesFolder !== undefined)
        files = await restoreFiles(db, folder, target.filesFolder, manifest.log.kind === 'postgres')
      await db.query('commit')
    }
  } finally {
    await db.end()
  }
  const erased = await target.withPorts((ports) => replayErasures(ports, subjects))
  await fileErasureJournal(target.erasuresFile).record([...subjects])
  await rm(target.restoringFile)
  return { manifest, files, erased }
}

/** After a recovery to a moment by PostgreSQL's own means. Returns how many subjects of the journals it found. */
export const restoreErasures = async (target: RestoreTarget, options: RestoreOptions): Promise<number> => {
  const subjects = await erasuresFor(undefined, target, options)
  const erased = await target.withPorts((ports) => replayErasures(ports, subjects))
  await fileErasureJournal(target.erasuresFile).record([...subjects])
  return erased
}

const requireSecrets = ({ masters }: Manifest, [current, ...old]: readonly Uint8Array[]): void => {
  if (!current) throw new WrongMasterSecret('no secret was given')
  const keys = masterKeys(current, old)
  const missing = masters.filter((master) => !keys.has(master))
  if (missing.length > 0) throw new WrongMasterSecret(`the backup's keys are wrapped with ${missing.join(', ')}`)
}

const requireSameKind = ({ files, log }: Manifest, { filesFolder, externalLog }: RestoreTarget): void => {
  if ((files.kind === 's3') !== (filesFolder === undefined))
    throw new BackupError(
      files.kind === 's3'
        ? 'The files of this backup are in S3: set the variables of a bucket that holds them.'
        : 'The files of this backup are in it: restore them to a folder first, without the variables of S3.',
    )
  if ((log.kind === 'eventstoredb') !== (externalLog !== undefined))
    throw new BackupError(
      log.kind === 'eventstoredb'
        ? 'The log of this backup is in an EventStoreDB: restore that one first and set EVENTSTORE_URL.'
        : 'The log of this backup is in it: leave out EVENTSTORE_URL.',
    )
}

const requireSameLog = async ({ log }: Manifest, { externalLog }: RestoreTarget): Promise<void> => {
  if (!externalLog) return
  const found = await externalLog()
  if (found !== log.position)
    throw new BackupError(
      `The EventStoreDB ends at ${found ?? 'its beginning'}, this backup belongs to ${log.position ?? 'an empty log'}: they are not of the same moment.`,
    )
}

const erasuresFor = async (
  folder: string | undefined,
  { erasuresFile }: RestoreTarget,
  { erasures = [], withoutErasures = false }: RestoreOptions,
): Promise<Set<Subject>> => {
  if (!existsSync(erasuresFile) && erasures.length === 0 && !withoutErasures)
    throw new BackupError(
      `${erasuresFile}, the journal of erasures, is missing: people who were erased since the backup would come back. Name a ` +
        'copy with --erasures <file>, or accept it with --without-erasures.',
    )
  const own = [erasuresFile, ...(folder === undefined ? [] : [paths(folder).erasures])].filter((path) =>
    existsSync(path),
  )
  const read = await Promise.all([...own, ...erasures].map((path) => readErasures(path)))
  return new Set(read.flatMap(({ subjects }) => [...subjects]))
}

/** True if an earlier attempt with this backup restored the database already. */
const requireRoom = async (
  db: Client,
  { restoringFile, filesFolder }: RestoreTarget,
  { id }: Manifest,
): Promise<boolean> => {
  const marker = existsSync(restoringFile) ? await readFile(restoringFile, 'utf8') : undefined
  const hasRows = !(await isEmpty(db))
  if (marker === id) return hasRows
  if (marker !== undefined)
    throw new BackupError(
      `A restore of another backup was broken off (${restoringFile}). Finish that one, or empty the target.`,
    )
  if (hasRows) throw new BackupError('The database is not empty. A restore never overwrites: name an empty one.')
  if (filesFolder !== undefined && (await namesIn(filesFolder)).length > 0)
    throw new BackupError(`${filesFolder} is not empty. A restore never overwrites: name an empty folder.`)
  return false
}
