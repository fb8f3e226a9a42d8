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
 * What lies in a data folder: `cluster` (PostgreSQL's own; the name is given only when initdb has finished), `password`
 * (mode 0600), `server.log`, and `claim` while a process holds the folder.
 */
export interface DataFolder {
  path: string
  cluster: string
  /** Who PostgreSQL runs as: it refuses to run as root. */
  account: Account
  /** Where a copy of the programs may be put. */
  copies: string
}

/** `nobody` on practically every system. */
const unprivileged = { uid: 65534, gid: 65534 }

/**
 * Makes the folder and decides who owns it. As root PostgreSQL runs as the owner of the cluster there, or as nobody; where that
 * account cannot enter the folder (a project under /root, for example) the data live under /var/lib/prosa instead, and the file
 * `moved-to` holds where: so they go with the folder when it is moved or deleted.
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

/** Makes a folder for the unprivileged account; undefined when it cannot be made or entered. */
const prepare = async (path: string): Promise<NonNullable<Account> | undefined> => {
  try {
    await makePrivate(path)
    const owner = await stat(join(path, 'cluster')).catch(() => undefined)
    const account = owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : unprivileged
    await chown(path, account.uid, account.gid)
    await run('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', path], { ...account, cwd: '/' })
    return account
  } catch {
    return undefined
  }
}

/** Only the folder itself: folders above it stay open to the account that PostgreSQL runs as. */
const makePrivate = async (path: string): Promise<void> => {
  await makePassable(dirname(path), 0o755)
  await mkdir(path, { recursive: true, mode: 0o700 })
}

const refuseForeign = async (path: string) => {
  const owner = await stat(join(path, 'cluster')).catch(() => stat(path))
  if (!process.getuid || owner.uid === process.getuid()) return
  throw new EmbeddedPostgresError(
    `The data folder ${path} belongs to another account (user id ${owner.uid}). ` +
      `Start Prosa as that account or as root, or give yourself the folder: sudo chown -R "$(id -un)" ${path}`,
  )
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Throws when the cluster there was written by another major version; false when there is no cluster yet. */
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

/** Reads the password, or makes one. Only its owner may read the file. */
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

/** Removes what an initdb that was cut off has left behind. */
export const removeDrafts = async ({ path }: DataFolder): Promise<void> => {
  const drafts = (await readdir(path)).filter((name) => name.startsWith('cluster-draft-'))
  for (const name of drafts) await rm(join(path, name), { recursive: true, force: true, maxRetries: 5 })
}
