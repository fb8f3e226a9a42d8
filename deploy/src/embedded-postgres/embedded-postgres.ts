import { randomUUID } from 'node:crypto'
import { chown, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { retry } from '@prosa/kernel/async/retry'
import { freePort } from '@prosa/kernel/free-port'
import { createDatabase } from '@prosa/kernel/postgres/queries'
import { hasCluster, openDataFolder, readPassword, removeDrafts } from './data-folder.ts'
import { claimFolder } from './folder-claim.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { makeClusterFiles, type Server, type ServerPlan, serverUrl, startServer } from './server.ts'

export interface EmbeddedPostgresOptions {
  /** Created if absent; for this cluster alone. */
  dataDir: string
  /** False skips fsync: much faster, but a power cut may destroy the data. For tests. */
  durable?: boolean
  /** By default a free port of 127.0.0.1. */
  port?: number
  maxConnections?: number
  /** Called if the server ended unexpectedly, or its restart failed. */
  onTrouble?: (error: unknown) => void
}

export interface EmbeddedPostgres {
  /** Address of the existing database `prosa`, with the password: keep it out of logs. */
  url: string
  /** Changes when the server restarts. */
  readonly pid: number
  /** Resolves once the server has ended and its data are on disk. */
  stop(): Promise<void>
}

const database = 'prosa'
const restartPauseMs = 500
const stopMs = 20_000

/**
 * Starts the PostgreSQL that npm installed. It ends with this process, SIGKILL included, and restarts on the same port. Throws
 * `EmbeddedPostgresError` for what the user can correct. Tested on Linux (glibc), not on macOS.
 */
export const startEmbeddedPostgres = async ({
  dataDir,
  durable = true,
  port,
  maxConnections = 100,
  onTrouble = () => undefined,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const folder = await openDataFolder(dataDir)
  const release = await claimFolder(folder.path)
  try {
    const binaries = await findPostgresBinaries(folder.account, folder.copies)
    const password = await readPassword(folder)
    const plan = { folder, binaries, password, port: port ?? (await freePort()), durable, maxConnections }
    if (!(await hasCluster(folder, binaries.majorVersion))) await makeCluster(plan)
    const server = await startServer(plan)
    const kept = keepRunning(plan, server, onTrouble)
    try {
      await createDatabase(serverUrl(plan, 'postgres'), database)
    } catch (error) {
      await kept.stop()
      throw error
    }
    let stopped: Promise<void> | undefined
    return {
      url: serverUrl(plan, database),
      get pid() {
        return kept.server().pid
      },
      stop() {
        // Once only: later the claim may be another process's.
        stopped ??= kept.stop().finally(release)
        return stopped
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The cluster is renamed once complete: an interrupted initdb leaves a draft. */
const makeCluster = async (plan: ServerPlan): Promise<void> => {
  const { path, cluster, account } = plan.folder
  await removeDrafts(plan.folder)
  const draft = join(path, `cluster-draft-${randomUUID()}`)
  await mkdir(draft, { mode: 0o700 })
  if (account) await chown(draft, account.uid, account.gid)
  await makeClusterFiles(plan, draft)
  await rename(draft, cluster)
}

/** Restarts the server until it is stopped. */
const keepRunning = (plan: ServerPlan, first: Server, onTrouble: (error: unknown) => void) => {
  const stopping = new AbortController()
  let server = first

  const startAgain = async (): Promise<void> => {
    const start = async () => {
      server = await startServer(plan)
    }
    const { signal } = stopping
    await retry(start, { signal, pauseAfter: () => restartPauseMs, onFailure: onTrouble })
  }

  const watch = async (): Promise<void> => {
    for (;;) {
      await endOf(server, stopping.signal)
      if (stopping.signal.aborted) return
      onTrouble(new Error('PostgreSQL ended without being asked to and is started again'))
      await startAgain()
    }
  }
  const stopped = watch()

  return {
    server: () => server,
    stop(): Promise<void> {
      stopping.abort()
      return stopped
    },
  }
}

/** After the signal it requests a shutdown, and kills the server after 20 s. */
const endOf = async ({ lifeline }: Server, stop: AbortSignal): Promise<void> => {
  let killTimer: NodeJS.Timeout | undefined
  const ask = () => {
    lifeline.cut()
    killTimer = setTimeout(lifeline.kill, stopMs)
  }
  if (stop.aborted) ask()
  else stop.addEventListener('abort', ask, { once: true })
  await lifeline.ended
  clearTimeout(killTimer)
  stop.removeEventListener('abort', ask)
}
