import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { processIdentity } from '@prosa/kernel/process-identity'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const timeoutMs = 60_000

/** Above any process id of a system. */
const nobodysProcessId = 2_147_483_647

/** Shuts down a server of an earlier run and waits for it. Only for the holder of the folder's claim. */
export const endOrphan = async (cluster: string): Promise<void> => {
  const file = join(cluster, 'postmaster.pid')
  const deadline = Date.now() + timeoutMs
  for (let asked = false; ; await delay(20)) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) return
    const [pidLine = '', ...rest] = text.split('\n')
    const pid = Number.parseInt(pidLine, 10)
    if (!(await isServer(pid))) {
      // PostgreSQL takes any process with that id, even a zombie, for a server. The rest of the file stays: PostgreSQL needs it to detect
      // old processes that still share memory.
      if (pid > 0) await writeFile(file, [nobodysProcessId, ...rest].join('\n'))
      return
    }
    if (Date.now() > deadline)
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${pid}) of an earlier run has not shut down yet. Try again in a moment.`,
      )
    if (!asked) process.kill(pid, 'SIGINT')
    asked = true
  }
}

const isServer = async (pid: number) => {
  if (!(pid > 0) || (await processIdentity(pid)) === undefined) return false
  if (process.platform !== 'linux') return true
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name.trim() === 'postgres'
}
