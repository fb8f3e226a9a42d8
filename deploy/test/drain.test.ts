import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beginning } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from './visitor.ts'

let database: TestPostgres
const started: ChildProcess[] = []

beforeAll(async () => {
  database = await testPostgres()
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(() => database.drop())

const start = async (kind: 'product' | 'hanging', drainSeconds: number) => {
  const child = fork(await builtProgram(join(import.meta.dirname, 'drain-process.ts')), [kind], {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      PROSA_PORT: '0',
      PROSA_SECRET: secret,
      PROSA_DRAIN_SECONDS: String(drainSeconds),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  started.push(child)
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  const ended = once(child, 'exit')
  const [url] = await Promise.race([once(child, 'message'), ended.then(async () => Promise.reject(await printed))])
  const { port } = new URL(url)
  return {
    child,
    port: Number(port),
    url: `http://127.0.0.1:${port}`,
    end: async () => ({ code: (await ended)[0], output: (await printed).join('') }),
  }
}
const secret = randomBytes(32).toString('hex')

const opened = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}
const isRefused = (port: number) =>
  opened(port).then(
    (socket) => void socket.destroy(),
    () => true,
  )

const begunRequest = async (port: number, path: string) => {
  const socket = await opened(port)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n`)
  return async () => {
    socket.write('\r\n')
    const reply = await text(socket)
    return { status: Number(reply.split(' ')[1]), reply }
  }
}

const storedIds = async (): Promise<Set<string>> => {
  const store = await postgresEventStore({ url: database.url })
  const ids = new Set<string>()
  for await (const { events } of store.readAll(beginning, { categories: ['contact'] }))
    for (const { id } of events) ids.add(id)
  await store.close()
  return ids
}

describe('a process that is asked to end', () => {
  it('answers what is in flight, announces that it goes, sends its sockets elsewhere, and keeps all that it acknowledged', async () => {
    const product = await start('product', 600)
    const visitor = await new Visitor(product.url).register()
    const socket = visitor.socket()
    await until(() => socket.connected)
    const cut = new Promise((resolve) => socket.once('disconnect', resolve))
    const post = async (path: string) => {
      const reply = await fetch(product.url + path, { method: 'POST' })
      return { reply, body: (await reply.json()) as { stored: string } }
    }
    const acknowledged: string[] = []
    const write = async (): Promise<void> => {
      const { body } = await post('/api/test/write')
      acknowledged.push(body.stored)
      return write()
    }
    const writers = Array.from({ length: 5 }, () => write().catch(() => undefined))
    const waiting = once(product.child, 'message')
    const slow = post('/api/test/write-when-asked')
    const ready = await begunRequest(product.port, '/health/ready')
    const live = await begunRequest(product.port, '/health/live')
    await waiting
    await until(() => acknowledged.length > 20)

    product.child.kill('SIGTERM')
    await until(() => isRefused(product.port))
    expect(await ready()).toMatchObject({ status: 503, reply: expect.stringContaining('"draining":true') })
    expect(await live()).toMatchObject({ status: 200, reply: expect.stringMatching(/connection: close/i) })
    product.child.send('go on')
    const { reply, body } = await slow
    expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close'])
    expect(await cut).not.toBe('io server disconnect')
    expect(socket.active).toBe(true)
    socket.close()

    expect(await product.end()).toEqual({ code: 0, output: '' })
    await Promise.all(writers)
    const stored = await storedIds()
    expect([...acknowledged, body.stored].filter((id) => !stored.has(id))).toEqual([])
  }, 60_000)

  it('ends all the same when a part of it hangs, and reports which', async () => {
    const product = await start('hanging', 1)
    product.child.kill('SIGTERM')
    const { code, output } = await product.end()
    expect(code).toBe(1)
    expect(output).toContain('(1 s are over)')
    expect(output).toContain('service that never ends')
    expect(output).not.toContain('event store')
  }, 60_000)

  it('ends at once when it is asked a second time, and reports what had not ended', async () => {
    const product = await start('hanging', 600)
    product.child.kill('SIGTERM')
    await until(() => isRefused(product.port))
    await until(() => {
      product.child.kill('SIGTERM')
      return product.child.exitCode !== null
    }, 30_000)
    const { code, output } = await product.end()
    expect(code).toBe(1)
    expect(output).toContain('(SIGTERM came again)')
    expect(output).toContain('service that never ends')
  }, 60_000)
})
