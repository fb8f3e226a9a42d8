import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { turns } from '../../async/turns.ts'
import { parseJsonBodies } from '../json-body.ts'
import { limitBodyTime } from './body-time.ts'

let app: FastifyInstance
afterEach(() => app.close())
const listening = async (ms: number) => {
  app = fastify({ forceCloseConnections: true })
  parseJsonBodies(app, turns())
  limitBodyTime(app, ms)
  app.post('/command', async ({ body }) => body)
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload))
  app.post('/file', { config: { takesFile: true } }, async ({ body }) => ({
    length: (await text(body as never)).length,
  }))
  await app.listen({ host: '127.0.0.1', port: 0 })
}

const begin = async (path: string, type: string, body: string) => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const whole = text(socket).catch(() => 'cut')
  const head = [`POST ${path} HTTP/1.1`, 'host: localhost', `content-type: ${type}`, `content-length: ${body.length}`]
  socket.write(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body.slice(0, -1)}`)
  return { whole, finish: () => socket.end(body.slice(-1)) }
}

it('cuts off who does not finish a body in time, with no answer', async () => {
  await listening(200)
  const { whole } = await begin('/command', 'application/json', '{"a":1}')
  expect(['', 'cut']).toContain(await whole)
})

it('gives files the time that they need', async () => {
  await listening(200)
  const slow = await begin('/command', 'application/json', '{"a":1}')
  const file = await begin('/file', 'application/octet-stream', 'content')
  await slow.whole
  file.finish()
  expect(await file.whole).toContain('{"length":7}')
})

it('leaves everybody else alone', async () => {
  await listening(60_000)
  const { whole, finish } = await begin('/command', 'application/json', '{"a":1}')
  finish()
  expect(await whole).toContain('{"a":1}')
})
