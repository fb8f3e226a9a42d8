import { systemClock } from '@prosa/kernel/clock'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { browserSessions } from '@prosa/kernel/http/browser-sessions'
import type { Logger } from '@prosa/kernel/log'
import type { Ports } from '@prosa/kernel/ports'
import { openPool } from '@prosa/kernel/postgres/pool'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { secretStore } from '@prosa/kernel/privacy/secret-store'
import { readModelGate } from '@prosa/kernel/read-models/read-model-gate'
import { createKernelTables } from '@prosa/kernel/schema'

export interface OpenPorts extends Ports {
  close(): Promise<void>
}

/** Real adapters over one PostgreSQL: the log, the read models and the secrets. */
export const openPorts = async (databaseUrl: string, masterSecret: Uint8Array, log: Logger): Promise<OpenPorts> => {
  const troubled = (error: unknown) => log.warn({ err: error }, 'database connection lost, will be opened again')
  const pool = openPool(databaseUrl, { onError: troubled })
  await createKernelTables(pool)
  const closing = new AbortController()
  const box = secretBox(masterSecret)
  return {
    store: await postgresEventStore({ url: databaseUrl, onTrouble: troubled }),
    codec: eventCodec(),
    clock: systemClock,
    log,
    pool,
    databaseUrl,
    box,
    secrets: secretStore(pool, box),
    browserSessions: browserSessions(pool),
    roles: { of: async () => [] },
    readModels: readModelGate(pool, databaseUrl, closing.signal, troubled),
    async close() {
      closing.abort()
      await pool.end()
    },
  }
}
