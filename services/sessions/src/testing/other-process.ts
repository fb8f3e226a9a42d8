import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'
import type { Shop } from './shop.ts'

const program = fileURLToPath(new URL('./session-process.ts', import.meta.url))

export interface OtherProcess {
  log(): string
  /** Sockets stay open until `thaw`. */
  freeze(): void
  thaw(): void
  kill(): Promise<void>
}

export const otherProcess = async (
  { ports, server }: Shop,
  sharedSecret: Buffer,
  leaseMs: number,
): Promise<OtherProcess> => {
  const settings = [ports.databaseUrl, sharedSecret.toString('hex'), server.url, String(leaseMs)]
  const child = spawn(process.execPath, [await builtProgram(program), ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let log = ''
  child.stdout.on('data', (bytes) => {
    log += bytes
  })
  await Promise.race([
    until(() => log.includes('"running"'), 60_000),
    ended.then(() => Promise.reject(new Error(`it ended: ${log}`))),
  ])
  return {
    log: () => log,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
