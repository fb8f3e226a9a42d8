import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Account } from './lifeline.ts'
import { makePassable, sharedFolder } from './passable-folder.ts'

const run = promisify(execFile)

/**
 * Contains `cluster` (renamed once initdb has finished), `password` (mode 0600), `server.log`, and `claim` while a process uses the folder.
 */
export interface DataFolder {
  path: string
  cluster: string
  /** PostgreSQL refuses to run as root. */
  account: Account
  copies: string
}

/** `nobody` on practically every system. */
const unprivileged = { uid: 65534, gid: 65534 }

/**
 * As root, PostgreSQL runs as the cluster's owner or as nobody. If that account cannot enter the folder, the data are under /var/lib/prosa
 * and `moved-to` holds the path: moving or deleting the folder takes them along.
 */
export const openDataFolder = async (dataDir: string): Promise<DataFolder> => {
  const wanted = resolve(dataDir)
  await makePrivate(wanted).catch((error) => {
    throw new EmbeddedPostgresError(`The data folder ${wanted} cannot be made or entered (${error.message}).`)
  })
  if (process.getuid?.() !== 0) {
    await refuseForeign(wanted)
    return { path: wanted, cluster: join(wanted, 'cluster'), account: undefined, copies: wanted }
  }
  const pointer = join(wanted, 'moved-to')
  const moved = await readFile(pointer, 'utf8').catch(() => undefined)
  const elsewhere = moved ?? join(sharedFolder, randomBytes(8).toString('hex'))
  for (const path of moved ? [moved] : [wanted, elsewhere]) {
    const account = await prepare(path)
    if (!account) continue
    if (path !== wanted && !moved) await writeFile(pointer, path, { mode: 0o600 })
    return { path, cluster: join(path, 'cluster'), account, copies: sharedFolder }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and the account it would run as instead can use neither ${wanted} nor ${elsewhere}. ` +
      'Start Prosa as an ordinary user, or put its data folder where everybody may enter, or set DATABASE_URL.',
  )
}

/** Undefined if the unprivileged account cannot create or enter it. */
const prepare = async (path: string): Promise<NonNullable<Account> | undefined> => {
  try {
    await makePrivate(path)
    const status = await stat(join(path, 'cluster')).catch(() => undefined)
    const account = status && status.uid !== 0 ? { uid: status.uid, gid: status.gid } : unprivileged
    await chown(path, account.uid, account.gid)
    await run('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', path], { ...account, cwd: '/' })
    return account
  } catch {
    return undefined
  }
}

/** Folders above it stay passable for PostgreSQL's account. */
const makePrivate = async (path: string): Promise<void> => {
  await makePassable(dirname(path), 0o755)
  await mkdir(path, { recursive: true, mode: 0o700 })
}

const refuseForeign = async (path: string) => {
  const status = await stat(join(path, 'cluster')).catch(() => stat(path))
  if (!process.getuid || status.uid === process.getuid()) return
  throw new EmbeddedPostgresError(
    `The data folder ${path} belongs to another account (user id ${status.uid}). ` +
      `Start Prosa as that account or as root, or give yourself the folder: sudo chown -R "$(id -un)" ${path}`,
  )
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** False without a cluster; throws if another major version wrote it. */
export const hasCluster = async ({ path, cluster }: DataFolder, majorVersion: string): Promise<boolean> => {
  const written = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (written === undefined) {
    if (!(await exists(cluster))) return false
    throw new EmbeddedPostgresError(
      `The folder ${cluster} exists but holds no PostgreSQL data. Move it away to start empty.`,
    )
  }
  if (written.trim() === majorVersion) return true
  throw new EmbeddedPostgresError(
    `The data in ${path} were written by PostgreSQL ${written.trim()}; this Prosa brings PostgreSQL ${majorVersion}. ` +
      'Export them with the Prosa that wrote them, or move the folder away to start empty.',
  )
}

/** Creates the password if needed; only its owner may read the file. */
export const readPassword = async ({ path, account }: DataFolder): Promise<string> => {
  const file = join(path, 'password')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept) return kept
  const password = randomBytes(24).toString('base64url')
  await writeFile(`${file}.draft`, password, { mode: 0o600 })
  if (account) await chown(`${file}.draft`, account.uid, account.gid)
  await rename(`${file}.draft`, file)
  return password
}

/** Removes the remains of an interrupted initdb. */
export const removeDrafts = async ({ path }: DataFolder): Promise<void> => {
  const drafts = (await readdir(path)).filter((name) => name.startsWith('cluster-draft-'))
  for (const name of drafts) await rm(join(path, name), { recursive: true, force: true, maxRetries: 5 })
}
