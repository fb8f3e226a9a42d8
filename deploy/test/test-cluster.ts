import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processIdentity } from '@prosa/kernel/process-identity'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

export interface TestCluster {
  /** Address of the template database. */
  url: string
  remove(): Promise<void>
}

const prefix = 'prosa-test-postgres-'

/** As `npm run cluster`: one cluster alone opens 200, and the tests of other workers have theirs here too. */
const maxConnections = 600

/** Without fsync, in the temporary folder. */
export const startTestCluster = async (): Promise<TestCluster> => {
  await removeLeftovers()
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  const server = await startEmbeddedPostgres({ dataDir, durable: false, maxConnections })
  return {
    url: server.url,
    async remove() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A killed run leaves its files. */
const removeLeftovers = async () => {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (Number.isNaN(pid) || (await processIdentity(pid)) !== undefined) continue
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}
