import { type ChildProcess, fork, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { pauseBeforeStart } from './plan.ts'

export interface Program {
  id: string
  start: () => ChildProcess
}

export interface Supervised {
  id: string
  pid(): number | undefined
  /** Times that it ended by itself. */
  ends(): number
  /** Asks it to end, and resolves with its exit code, or its signal. */
  stop(): Promise<number | string>
}

type Print = (line: string) => void

/** Ends with us, as its channel closes; in a group of its own, as Ctrl+C must not reach it twice. */
export const nodeProgram = (id: string, file: string, args: readonly string[], env: NodeJS.ProcessEnv): Program => ({
  id,
  start: () =>
    fork(file, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: process.platform !== 'win32' }),
})

/** A shell that waits for the end of our pipe, which comes with SIGKILL too. */
const endWithUs = (child: ChildProcess): void => {
  if (child.pid === undefined || process.platform === 'win32') return
  const waiting = spawn('/bin/sh', ['-c', 'read -r _; kill -TERM "$0"', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.once('exit', () => waiting.kill('SIGKILL'))
}

/** A program that knows nothing of us. */
export const externalProgram = (
  id: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Program => ({
  id,
  start() {
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    endWithUs(child)
    return child
  },
})

const printLines = (stream: Readable | null, id: string, print: Print) => {
  if (stream) createInterface({ input: stream }).on('line', (line) => print(`${id.padEnd(14)} ${line}`))
}

/** `exit` does not come where it could not be started. */
const endOf = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
    child.once('error', (error) => resolve(error.message))
  })

/** Killed after this. */
const stopMs = 40_000

/** Keeps it running: an unexpected end is logged, and it is started again after a growing pause. */
export const supervise = ({ id, start }: Program, print: Print, onStart: () => void = () => undefined): Supervised => {
  const stopping = new AbortController()
  let ends = 0
  let child: ChildProcess | undefined

  const startOne = () => {
    const started = start()
    printLines(started.stdout, id, print)
    printLines(started.stderr, id, print)
    return started
  }

  const keep = async (): Promise<number | string> => {
    let pauseMs = 0
    for (;;) {
      const startedAt = performance.now()
      child = startOne()
      onStart()
      const outcome = await endOf(child)
      child = undefined
      if (stopping.signal.aborted) return outcome
      ends += 1
      pauseMs = pauseBeforeStart(pauseMs, performance.now() - startedAt)
      print(`${id} ended by itself (${outcome}) and starts again in ${pauseMs / 1000} s`)
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return 0
    }
  }
  const lifetime = keep()

  return {
    id,
    pid: () => child?.pid,
    ends: () => ends,
    async stop() {
      stopping.abort()
      const ending = child
      ending?.kill('SIGTERM')
      const killing = setTimeout(() => ending?.kill('SIGKILL'), stopMs)
      return lifetime.finally(() => clearTimeout(killing))
    },
  }
}
