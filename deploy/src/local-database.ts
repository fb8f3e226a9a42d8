import { join } from 'node:path'
import type { Logger } from '@prosa/kernel/observability/log'
import type { DataConfig } from '@prosa/product/process/config'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { makePassable } from './embedded-postgres/passable-folder.ts'

export interface Database {
  url: string
  stop(): Promise<void>
}

/** DATABASE_URL, else an embedded server in the data folder. */
export const openDatabase = async (
  { databaseUrl, dataDir }: Pick<DataConfig, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  maxConnections?: number,
): Promise<Database> => {
  if (databaseUrl) return { url: databaseUrl, stop: async () => undefined }
  // Passable but not readable: as root, an unprivileged account owns the database's folder in it.
  await makePassable(dataDir, 0o711)
  return startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    maxConnections,
    onTrouble: (error) => log.warn({ err: error }, 'embedded PostgreSQL in trouble'),
  })
}
