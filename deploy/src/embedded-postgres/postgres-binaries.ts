import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Account } from './lifeline.ts'
import { letEverybodyRead, makePassable } from './passable-folder.ts'

const run = promisify(execFile)

export interface PostgresBinaries {
  initdb: string
  postgres: string
  pgCtl: string
  majorVersion: string
}

const ownServer = 'Set DATABASE_URL to a PostgreSQL server of your own instead.'

/** Verifies that the binaries run under the account. If not (closed folder or missing library links), they are copied once to `copies`. */
export const findPostgresBinaries = async (account: Account, copies: string): Promise<PostgresBinaries> => {
  const packaged = await packagedBinaries()
  await makeLibraryLinks(packaged.root).catch(() => undefined)
  if ((await whyItCannotRun(packaged.postgres, account)) === undefined) return packaged

  const copied = join(copies, `postgres-${packaged.version}`)
  const inCopy = (path: string) => join(copied, path.slice(packaged.root.length))
  const { initdb, postgres, pgCtl } = packaged
  const binaries = { ...packaged, initdb: inCopy(initdb), postgres: inCopy(postgres), pgCtl: inCopy(pgCtl) }
  if ((await whyItCannotRun(binaries.postgres, account)) === undefined) return binaries
  await copyOnce(packaged.root, copied)
  const reason = await whyItCannotRun(binaries.postgres, account)
  if (reason === undefined) return binaries
  throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot run on this machine (${reason}). ${ownServer}`)
}

const platformPackage = z.object({ initdb: z.string(), postgres: z.string(), pg_ctl: z.string() })

const packagedBinaries = async () => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const {
    initdb,
    postgres,
    pg_ctl: pgCtl,
  } = await import(name).then(platformPackage.parse, (error: Error) => {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine (${name}: ${error.message}). ${ownServer}`,
    )
  })
  const root = dirname(dirname(dirname(postgres)))
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  return { root, initdb, postgres, pgCtl, version, majorVersion: version.split('.')[0] ?? version }
}

/** The package creates these links in an install script, which we do not run. */
const makeLibraryLinks = async (root: string) => {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = z.array(z.object({ source: z.string(), target: z.string() })).parse(JSON.parse(list))
  for (const { source, target } of links) {
    const name = source.slice(source.lastIndexOf('/') + 1)
    await symlink(name, join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Undefined if `--version` runs under the account. */
const whyItCannotRun = (postgres: string, account: Account): Promise<string | undefined> =>
  run(postgres, ['--version'], { ...account, cwd: '/', timeout: 20_000 }).then(
    () => undefined,
    (error: Error & { code?: unknown; stderr?: string }) => error.stderr?.trim() || String(error.code ?? error.message),
  )

const copyOnce = async (from: string, to: string) => {
  const draft = `${to}-${randomUUID()}`
  try {
    await makePassable(dirname(draft), 0o755)
    await makePassable(draft, 0o755)
    await cp(join(from, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    if (process.getuid?.() === 0) await letEverybodyRead(join(draft, 'native'))
    await makeLibraryLinks(draft)
    await rename(draft, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL could not be copied to ${to} (${String(error)}). ${ownServer}`,
    )
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
