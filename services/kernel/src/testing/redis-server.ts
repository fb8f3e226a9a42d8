import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { freePort } from '../free-port.ts'
import { until } from './until.ts'

const program = '/usr/bin/redis-server'

/** Empty where Redis is installed. */
export const noRedis = existsSync(program) ? '' : ' (skipped: no /usr/bin/redis-server)'

export interface RedisServer {
  url: string
  /** Keeps nothing. */
  kill(): Promise<void>
  /** On the same port, empty. */
  start(): Promise<void>
  /** Keeps its connections, and answers nothing. */
  freeze(): void
  thaw(): void
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('data', (reply) => {
      socket.destroy()
      resolve(reply.toString().startsWith('+PONG'))
    })
    socket.write('PING\r\n')
  })

export const startRedis = async (): Promise<RedisServer> => {
  const port = await freePort()
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    tmpdir(),
  ]
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(program, settings, { stdio: 'ignore' })
    await until(() => answers(port))
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}
