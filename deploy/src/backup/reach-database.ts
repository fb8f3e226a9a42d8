import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Config } from '@prosa/product/process/config'
import pg from 'pg'
import { type Database, openDatabase } from '../local-database.ts'

const textOf = (path: string) => readFile(path, 'utf8').catch(() => undefined)

/** The port is the fourth line of the server's own file. */
const runningUrl = async (dataDir: string): Promise<string | undefined> => {
  const wanted = resolve(dataDir, 'postgres')
  const folder = (await textOf(join(wanted, 'moved-to'))) ?? wanted
  const password = await textOf(join(folder, 'password'))
  const port = (await textOf(join(folder, 'cluster', 'postmaster.pid')))?.split('\n')[3]?.trim()
  if (!password || !port) return undefined
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/prosa`
  const db = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  db.on('error', () => undefined)
  // Refused where a crash left the file behind: the caller then starts a server.
  const answers = await db.connect().then(
    () => true,
    () => false,
  )
  await db.end().catch(() => undefined)
  return answers ? url : undefined
}

/** DATABASE_URL, the embedded server of a running Prosa, or one started for this. */
export const reachDatabase = async (config: Config, log: Logger): Promise<Database> => {
  const url = config.databaseUrl === undefined ? await runningUrl(config.dataDir) : undefined
  return url ? { url, stop: async () => undefined } : openDatabase(config, log)
}
