import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@prosa/kernel/free-port'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'
import { startLocalRouter } from '../src/cluster/local-router.ts'
import type { ProcessName } from '../src/topology/processes.ts'
import { processOf } from '../src/topology/routes.ts'

const root = join(import.meta.dirname, '../..')

const mains: Record<ProcessName, string> = {
  web: 'deploy/src/web.ts',
  identity: 'services/identity/src/main.ts',
  billing: 'services/billing/src/main.ts',
  contacts: 'services/contacts/src/main.ts',
  automation: 'services/automation/src/main.ts',
  sessions: 'services/sessions/src/main.ts',
  projections: 'projections/src/main.ts',
  realtime: 'services/realtime/src/main.ts',
  streams: 'services/streams/src/main.ts',
}

const start = async (program: string, env: Record<string, string>, args: string[] = []) =>
  fork(await builtProgram(join(root, program)), args, {
    execArgv: [],
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

export const startMain = (name: ProcessName, env: Record<string, string>) => start(mains[name], env)

/** For development: with the sandbox's WhatsApp network. */
export const startAlone = (name: ProcessName, env: Record<string, string>) =>
  start('deploy/src/local-service.ts', env, [name])

export const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

export interface ServiceProcesses {
  url: string
  pids: readonly number[]
  stop(): Promise<Record<string, number | null>>
  remove(): Promise<void>
}

/** One database, WhatsApp network and folder of files; started in this order. */
export const startServiceProcesses = async (
  names: readonly ProcessName[],
  databaseUrl: string,
  whatsappUrl: string,
): Promise<ServiceProcesses> => {
  const files = await mkdtemp(join(tmpdir(), 'prosa-services-files-'))
  const env = {
    DATABASE_URL: databaseUrl,
    WA_WEBSOCKET_URL: whatsappUrl,
    PROSA_SECRET: randomBytes(32).toString('hex'),
    PROSA_FILES_DIR: files,
    PROSA_TRUST_PROXY: 'true',
    LOG_LEVEL: 'fatal',
  }
  const ports = new Map<string, number>()
  const children = new Map<string, ChildProcess>()
  const remove = async () => {
    await router.stop()
    for (const child of children.values()) child.kill('SIGKILL')
    await rm(files, { recursive: true, force: true })
  }
  const portsOf = (method: string, target: string) => [ports.get(processOf(method, target)) ?? 0]
  const router = await startLocalRouter({ portsOf })
  try {
    for (const name of names) {
      const port = await freePort()
      const child = await startAlone(name, { ...env, PROSA_PORT: String(port) })
      child.stdout?.pipe(process.stdout)
      child.stderr?.pipe(process.stderr)
      children.set(name, child)
      ports.set(name, port)
      await until(() => {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
        return isReady(port)
      })
    }
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: router.url,
    pids: [...children.values()].map(({ pid = 0 }) => pid),
    async stop() {
      const ended = [...children].map(async ([name, child]) => {
        const exit = once(child, 'exit')
        child.kill('SIGTERM')
        const [code] = await exit
        return [name, code] as const
      })
      return Object.fromEntries(await Promise.all(ended))
    },
    remove,
  }
}
