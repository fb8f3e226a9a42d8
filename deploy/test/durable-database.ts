import { join } from 'node:path'
import { openPool } from '@prosa/kernel/postgres/pool'
import type { Pool } from 'pg'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

export interface DurableDatabase {
  url: string
  pool: Pool
  /** It is started again at the same port. */
  kill(): void
  stop(): Promise<void>
}

/** A server of its own, because that of the other tests does not fsync and is not to be killed. As root, `folder` must be passable. */
export const durableDatabase = async (folder: string, maxConnections?: number): Promise<DurableDatabase> => {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), maxConnections })
  const pool = openPool(server.url)
  return {
    url: server.url,
    pool,
    kill: () => void process.kill(server.pid, 'SIGKILL'),
    async stop() {
      await pool.end()
      await server.stop()
    },
  }
}
