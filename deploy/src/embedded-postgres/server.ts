import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { DataFolder } from './data-folder.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { initdbOnLifeline, type Lifeline, serverOnLifeline } from './lifeline.ts'
import { endOrphan } from './orphan.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

export interface ServerPlan {
  folder: DataFolder
  binaries: PostgresBinaries
  password: string
  port: number
  durable: boolean
  maxConnections: number
}

export interface Server {
  lifeline: Lifeline
  pid: number
}

const readyMs = 120_000
const retryMs = 15_000
const largestLogBytes = 5_000_000

/** Contains the password. */
export const serverUrl = ({ password, port }: ServerPlan, database: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`

const settings = ({ durable, maxConnections }: ServerPlan) => [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  `max_connections=${maxConnections}`,
  'timezone=UTC',
  'log_timezone=UTC',
  // Privacy: statements and error details contain what people wrote.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
]

/** Creates a cluster in a draft folder, which the caller renames. */
export const makeClusterFiles = async (plan: ServerPlan, draft: string): Promise<void> => {
  const { folder, binaries, durable } = plan
  // The machine's locale would affect text order and so indexes.
  const args = ['-D', draft, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C']
  args.push('--pwfile', join(folder.path, 'password'))
  // Without durability the password needs no protection: thousands of hash rounds would dominate connecting.
  if (!durable) args.push('--no-sync', '-c', 'scram_iterations=1')
  const lifeline = await withLog(folder, (output) =>
    initdbOnLifeline(binaries.initdb, args, { account: folder.account, output, folder: draft }),
  )
  if ((await lifeline.ended) !== 0)
    throw new EmbeddedPostgresError(`PostgreSQL could not make its data files: ${await lastWords(folder)}`)
}

/** Waits up to two minutes (recovery). Retries while processes of a killed server exit, because PostgreSQL refuses to start then. */
export const startServer = async (plan: ServerPlan): Promise<Server> => {
  const { folder, binaries } = plan
  const flags = ['-p', String(plan.port), ...settings(plan).flatMap((setting) => ['-c', setting])]
  const giveUpAt = Date.now() + retryMs
  for (;;) {
    await endOrphan(folder.cluster)
    const lifeline = await withLog(folder, (output) =>
      serverOnLifeline(binaries, flags, { account: folder.account, output, folder: folder.cluster }),
    )
    try {
      if (await answers(plan, lifeline)) {
        const file = await readFile(join(folder.cluster, 'postmaster.pid'), 'utf8')
        return { lifeline, pid: Number.parseInt(file, 10) }
      }
    } catch (error) {
      lifeline.cut()
      throw error
    }
    lifeline.cut()
    await lifeline.ended
    if (Date.now() > giveUpAt)
      throw new EmbeddedPostgresError(`PostgreSQL does not start on ${folder.path}: ${await lastWords(folder)}`)
    await delay(100)
  }
}

const answers = async (plan: ServerPlan, lifeline: Lifeline): Promise<boolean> => {
  const over = new AbortController()
  const giveUpAt = Date.now() + readyMs
  const watching = lifeline.ended.finally(() => over.abort())
  watching.catch(() => over.signal.aborted)
  while (!over.signal.aborted && Date.now() < giveUpAt) {
    const client = new pg.Client({ connectionString: serverUrl(plan, 'postgres'), connectionTimeoutMillis: 5000 })
    // The connect below rejects with the same error.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return true
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === '28P01')
        throw new EmbeddedPostgresError(
          `The file ${join(plan.folder.path, 'password')} does not fit the data beside it.`,
        )
      // Not ready. A permanent fault ends the server; its log has the reason.
      await delay(15)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  if (over.signal.aborted) await watching
  return false
}

const logFile = (folder: DataFolder) => join(folder.path, 'server.log')

const withLog = async <Result>(folder: DataFolder, work: (output: number) => Result): Promise<Result> => {
  const path = logFile(folder)
  const size = await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
  if (size > largestLogBytes) await rename(path, `${path}.old`)
  const output = await open(path, 'a', 0o600)
  try {
    return work(output.fd)
  } finally {
    await output.close()
  }
}

const lastWords = async (folder: DataFolder) => {
  const lines = (await readFile(logFile(folder), 'utf8')).trim().split('\n')
  return lines.slice(-3).join(' / ') || 'its log says nothing'
}
