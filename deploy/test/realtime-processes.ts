import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@prosa/kernel/free-port'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'
import { type Caddy, installedCaddy } from '../src/cluster/caddy.ts'
import { caddyfile } from '../src/topology/caddyfile.ts'
import { type ProcessName, processNames } from '../src/topology/processes.ts'
import { isReady } from './service-processes.ts'

const program = join(import.meta.dirname, '../src/local-service.ts')

export interface RealtimeProcess {
  port: number
  pid(): number
  sockets(): Promise<number>
  /** From /health/ready. */
  trouble(): Promise<Record<string, unknown>>
  kill(): Promise<void>
  /** Again, at the same port. */
  start(): Promise<void>
}

/** Realtime alone, in a process of its own. */
export const startRealtime = async (env: Record<string, string>): Promise<RealtimeProcess> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const start = async () => {
    const started = fork(await builtProgram(program), ['realtime'], {
      execArgv: [],
      env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', PROSA_TRUST_PROXY: 'true', PROSA_PORT: String(port), ...env },
    })
    child = started
    await until(() => {
      if (started.exitCode !== null) throw new Error(`realtime ended with ${started.exitCode}`)
      return isReady(port)
    })
  }
  await start()
  return {
    port,
    pid: () => child?.pid ?? 0,
    start,
    async sockets() {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^prosa_sockets_open (\d+)/m.exec(text)?.[1])
    },
    async trouble() {
      return (await (await fetch(`${url}/health/ready`)).json()).trouble
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

export const caddy: Caddy | undefined = await installedCaddy()

export interface RunningGateway {
  url: string
  stop(): Promise<void>
}

/** Real Caddy: `/socket.io` to these processes, everything else to `restUrl`. */
export const startGateway = async (
  { program: path, hasStreamCloseDelay }: Caddy,
  realtimePorts: readonly number[],
  restUrl: string,
): Promise<RunningGateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-gateway-'))
  const port = await freePort()
  const rest = [`127.0.0.1:${new URL(restUrl).port}`]
  const upstreams = Object.fromEntries(processNames.map((name) => [name, rest])) as Record<ProcessName, string[]>
  upstreams.realtime = realtimePorts.map((each) => `127.0.0.1:${each}`)
  const options = ['admin off']
  const siteOptions = ['bind 127.0.0.1']
  const config = caddyfile({ site: `http://:${port}`, options, siteOptions, upstreams, hasStreamCloseDelay })
  const file = join(folder, 'Caddyfile')
  await writeFile(file, config)
  const child = spawn(path, ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: 'ignore',
  })
  await until(() => isReady(port))
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
