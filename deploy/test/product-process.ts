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
  /** The master secret in hexadecimal. */
  secret: string
  kill(): Promise<void>
  terminate(): Promise<number | null>
  remove(): Promise<void>
  start(): Promise<void>
}

export interface ProductProcessOptions {
  /** By default a folder that `remove` deletes. */
  filesDir?: string
  leaseMs?: number
  webFolder?: string
  nodeArguments?: string[]
  env?: Record<string, string>
}

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
