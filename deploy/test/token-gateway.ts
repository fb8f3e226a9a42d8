import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@prosa/kernel/free-port'
import { until } from '@prosa/kernel/testing/until'
import type { Caddy } from '../src/cluster/caddy.ts'
import { caddyfile, type Upstreams } from '../src/topology/caddyfile.ts'
import { type ProcessName, processNames } from '../src/topology/processes.ts'
import { isReady, startAlone } from './service-processes.ts'

export type StartedName = Exclude<ProcessName, 'web'>

export interface TokenGateway {
  url: string
  /** A process without the gateway. */
  direct: Readonly<Record<StartedName, string>>
  /** Of the services. */
  pids: readonly number[]
  /** Exit codes, of the gateway too. */
  stop(): Promise<Record<string, number | null>>
  remove(): Promise<void>
}

const stopped = async (child: ChildProcess) => {
  if (child.exitCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const [code]: (number | null)[] = await exit
  return code ?? null
}

/** Each service in a process of its own, with tokens, behind a real Caddy; started in this order. */
export const startTokenGateway = async (
  { program, hasStreamCloseDelay }: Caddy,
  databaseUrl: string,
  whatsappUrl: string,
  names: readonly StartedName[],
): Promise<TokenGateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-tokens-'))
  const port = await freePort()
  const ports = new Map<StartedName, number>()
  for (const name of names) ports.set(name, await freePort())
  const direct = Object.fromEntries([...ports].map(([name, own]) => [name, `http://127.0.0.1:${own}`]))
  const env = {
    DATABASE_URL: databaseUrl,
    WA_WEBSOCKET_URL: whatsappUrl,
    PROSA_SECRET: randomBytes(32).toString('hex'),
    PROSA_FILES_DIR: join(folder, 'files'),
    PROSA_TRUST_PROXY: 'true',
    PROSA_IDENTITY_URL: direct.identity ?? '',
    LOG_LEVEL: 'fatal',
  }
  const children = new Map<string, ChildProcess>()
  const remove = async () => {
    for (const child of children.values()) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const [name, own] of ports) {
      const child = await startAlone(name, { ...env, PROSA_PORT: String(own) })
      child.stdout?.pipe(process.stdout)
      child.stderr?.pipe(process.stderr)
      children.set(name, child)
      await until(() => {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
        return isReady(own)
      })
    }
    const upstreams: Record<string, Upstreams> = Object.fromEntries(
      processNames.map((name) => [name, [`127.0.0.1:${ports.get(name === 'web' ? 'projections' : name)}`]]),
    )
    const site = { site: `http://:${port}`, options: ['admin off'], siteOptions: ['bind 127.0.0.1'] }
    await writeFile(
      join(folder, 'Caddyfile'),
      caddyfile({ ...site, upstreams: upstreams as Record<ProcessName, Upstreams>, hasStreamCloseDelay }),
    )
    const caddy = spawn(program, ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: 'ignore',
    })
    children.set('caddy', caddy)
    await until(() => isReady(port))
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: `http://127.0.0.1:${port}`,
    direct: direct as Record<StartedName, string>,
    pids: names.map((name) => children.get(name)?.pid ?? 0),
    async stop() {
      const ended = [...children].map(async ([name, child]) => [name, await stopped(child)] as const)
      return Object.fromEntries(await Promise.all(ended))
    },
    remove,
  }
}
