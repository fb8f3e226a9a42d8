import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { until } from './until.ts'

/** A program that runs an EventStoreDB without TLS until it is killed; its arguments are a data folder and a port. */
const { EVENTSTORE_COMMAND, EVENTSTORE_URL: _, ...env } = process.env

/** Why no real EventStoreDB can be killed here; empty when one can. */
export const noKillableServer = EVENTSTORE_COMMAND ? '' : ' (skipped: no EVENTSTORE_COMMAND)'

export interface KillableServer {
  url: string
  /**
   * SIGKILL to the server and whatever started it, and then to life again on the same data; resolves when it answers.
   */
  killAndStart(): Promise<void>
  /** SIGKILL, and its data are removed. */
  remove(): Promise<void>
}

const startMs = 120_000

/** A real server of its own on 127.0.0.1, with an empty data folder. */
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
    // A group of its own, so that a kill reaches the server behind a script too. The server takes every variable that
    // begins with
    // EVENTSTORE_ for an option, and ends where it does not know one.
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
