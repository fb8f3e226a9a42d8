import { join } from 'node:path'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Config } from '@prosa/kernel/process/config'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { makePassable } from './embedded-postgres/passable-folder.ts'

export interface Database {
  url: string
  stop(): Promise<void>
}

/** The user's own server when DATABASE_URL names one; otherwise an embedded one with its data in the data folder. */
export const openDatabase = async ({ databaseUrl, dataDir }: Config, log: Logger): Promise<Database> => {
  if (databaseUrl) return { url: databaseUrl, stop: async () => undefined }
  // Others may pass through to the database's own folder, which an unprivileged account owns when we are root; not look in.
  await makePassable(dataDir, 0o711)
  return startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    onTrouble: (error) => log.warn({ err: error }, 'embedded PostgreSQL in trouble'),
  })
}
