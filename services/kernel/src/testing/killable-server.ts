import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { until } from './until.ts'

/** EVENTSTORE_COMMAND: a program with two arguments, data folder and port. */
const { EVENTSTORE_COMMAND, EVENTSTORE_URL: _, ...env } = process.env

/** Empty when a server can be killed. */
export const noKillableServer = EVENTSTORE_COMMAND ? '' : ' (skipped: no EVENTSTORE_COMMAND)'

export interface KillableServer {
  url: string
  /** On the same data; resolves when it answers. */
  killAndStart(): Promise<void>
  remove(): Promise<void>
}

const startMs = 120_000

export const startKillableServer = async (): Promise<KillableServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-eventstore-'))
  const port = await freePort()
  let current: { child: ChildProcess; ended: Promise<unknown> } | undefined

  const answers = async () => {
    if (current && current.child.exitCode !== null)
      throw new Error(`EVENTSTORE_COMMAND ended: ${current.child.exitCode}`)
    const reply = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined)
    return reply?.ok
  }
  const start = async () => {
    // Own process group: also kills a server behind a script. The server exits on unknown EVENTSTORE_ variables.
    const child = spawn(EVENTSTORE_COMMAND ?? '', [folder, String(port)], { stdio: 'ignore', detached: true, env })
    current = { child, ended: once(child, 'exit') }
    await until(answers, startMs)
  }
  const kill = async () => {
    if (current?.child.pid === undefined) return
    if (current.child.exitCode === null) process.kill(-current.child.pid, 'SIGKILL')
    await current.ended
  }
  const remove = async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  }

  await start().catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    remove,
    async killAndStart() {
      await kill()
      await start()
    },
  }
}
