import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@prosa/kernel/free-port'
import { builtProgram } from '@prosa/kernel/testing/built-program'

export interface ProductProcess {
  url: string
  pid: number
  /** The master secret, in hexadecimal. */
  secret: string
  /** Ends the process as a lost machine would, and resolves once it is gone. */
  kill(): Promise<void>
  /** Asks it to end, as a deployment does, and resolves with its exit code once it is gone. */
  terminate(): Promise<number | null>
  /** Kills it for good, and removes the files that only it knew. */
  remove(): Promise<void>
  /** Starts it again on the same port; resolves when it answers. */
  start(): Promise<void>
}

export interface ProductProcessOptions {
  /** Where files of messages are kept; without it in a folder that `remove` removes. */
  filesDir?: string
  /** How long a process that was killed keeps its successor waiting, in milliseconds; without it as in production. */
  leaseMs?: number
  /** The built web app, which it serves; without it there is none. */
  webFolder?: string
  /** Arguments for node itself. */
  nodeArguments?: string[]
  /** More of its environment, such as Kiwify's tokens. */
  env?: Record<string, string>
}

/** The product as a process of its own, on this database and this WhatsApp network. */
export const productProcess = async (
  databaseUrl: string,
  whatsappUrl: string,
  { filesDir, leaseMs = 0, webFolder, nodeArguments = [], env = {} }: ProductProcessOptions = {},
): Promise<ProductProcess> => {
  const port = await freePort()
  const files = filesDir ?? join(tmpdir(), `prosa-product-files-${randomUUID()}`)
  const secret = randomBytes(32).toString('hex')
  let child: ChildProcess | undefined

  const start = async () => {
    const program = await builtProgram(join(import.meta.dirname, 'host-process.ts'))
    child = fork(program, [String(leaseMs), ...(webFolder === undefined ? [] : [webFolder])], {
      execArgv: nodeArguments,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        WA_WEBSOCKET_URL: whatsappUrl,
        PROSA_PORT: String(port),
        PROSA_SECRET: secret,
        PROSA_FILES_DIR: files,
        LOG_LEVEL: 'fatal',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (message !== 'ready') throw new Error(`the product did not start (${message})`)
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    return child.exitCode
  }
  const kill = async () => {
    await end('SIGKILL')
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return child?.pid ?? 0
    },
    secret,
    start,
    kill,
    terminate: () => end('SIGTERM'),
    async remove() {
      await kill()
      if (filesDir === undefined) await rm(files, { recursive: true, force: true })
    },
  }
}
