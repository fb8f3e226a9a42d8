import { idempotencyKeyHeader, positionHeader, repliedBeforeHeader } from '@prosa/contracts/http/problem'
import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { later } from '../../clock.ts'
import type { Position } from '../../event-store/port.ts'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { until } from '../../testing/until.ts'
import { createApp, replyPosition } from '../app.ts'
import { refuse } from '../problem.ts'
import { requireUser } from '../require-user.ts'
import { sessionCookie } from '../sign-in/browser-sessions.ts'

let ports: TestPorts
let app: FastifyInstance
let now = '2026-11-21T12:00:00.000Z'
let ana: string
let bia: string
let keys = 0
const newKey = () => `wish ${++keys}`

const done: { id: string; repeated: boolean }[] = []
let obstacle: Promise<void> | undefined

const routes: FastifyPluginAsyncZod = async (scope) => {
  const body = z.object({ name: z.string().min(1) })
  scope.post('/api/things', { onRequest: requireUser, schema: { body } }, async (request, reply) => {
    await obstacle
    done.push(request.command)
    if (request.body.name === 'refused') throw refuse('connection_not_open')
    if (request.body.name === 'broken') throw new Error('the database fell over')
    replyPosition(reply, '0000000000000000042' as Position)
    return reply.code(201).send({ id: request.command.id, turn: done.length, secret: 'Ana Souza' })
  })
  scope.delete('/api/things', { onRequest: requireUser }, async (request, reply) => {
    done.push(request.command)
    return reply.code(204).send()
  })
  scope.post('/api/enter', { schema: { body } }, async (request, reply) => {
    done.push(request.command)
    reply.setCookie(sessionCookie, `token ${done.length}`, { path: '/', secure: true })
    return { id: request.command.id }
  })
}

beforeAll(async () => {
  ports = await testPorts()
  app = await createApp({ ...ports, clock: { now: () => now }, trustedOrigins: [] })
  await app.register(routes)
  const session = async (digit: number) =>
    (await ports.browserSessions.issue(`7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a1${digit}`)).token
  ;[ana, bia] = [await session(1), await session(2)]
})
afterAll(async () => {
  await app.close()
  await ports.close()
})

const send = (key: string | undefined, name = 'a', { token = ana, method = 'POST', url = '/api/things' } = {}) =>
  app.inject({
    method: method as 'POST',
    url,
    headers: key === undefined ? {} : { [idempotencyKeyHeader]: key },
    cookies: { [sessionCookie]: token },
    ...(method === 'POST' ? { payload: { name } } : {}),
  })

const block = () => {
  const opened: (() => void)[] = []
  obstacle = new Promise((resolve) => opened.push(resolve))
  return () => {
    for (const open of opened) open()
  }
}

const counting = async (work: () => Promise<unknown>) => {
  const before = done.length
  await work()
  return done.length - before
}

describe('a command with an idempotency key', () => {
  it('is carried out once and answered the same', async () => {
    const key = newKey()
    const first = await send(key)
    const times = await counting(async () => {
      const second = await send(key)
      expect([second.statusCode, second.body]).toEqual([201, first.body])
      for (const name of ['content-type', positionHeader]) expect(second.headers[name]).toBe(first.headers[name])
      expect([first.headers[repliedBeforeHeader], second.headers[repliedBeforeHeader]]).toEqual([undefined, 'true'])
    })
    expect(times).toBe(0)
  })

  it('is answered without the position of the log that a release before kept with its answer', async () => {
    const key = newKey()
    await send(key)
    const { rows } = await ports.pool.query('select id, reply from idempotent_request where reply is not null')
    for (const { id, reply } of rows) {
      const context = `idempotent request ${id}`
      const stored = JSON.parse(ports.box.decrypt(reply, context).toString())
      stored.headers[positionHeader] = '0000000000000000042'
      const encrypted = ports.box.encrypt(Buffer.from(JSON.stringify(stored)), context)
      await ports.pool.query('update idempotent_request set reply = $2 where id = $1', [id, encrypted])
    }
    const again = await send(key)
    expect([again.statusCode, again.headers[repliedBeforeHeader]]).toEqual([201, 'true'])
    expect(again.headers).not.toHaveProperty(positionHeader)
  })

  it('is carried out once when it comes many times at once', async () => {
    const key = newKey()
    const open = block()
    const times = await counting(async () => {
      const all = Promise.all(Array.from({ length: 5 }, () => send(key)))
      const claimed = async () =>
        (await ports.pool.query('select 1 from idempotent_request where claimed_until is not null')).rowCount === 1
      await until(claimed)
      open()
      obstacle = undefined
      expect(new Set((await all).map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    })
    expect(times).toBe(1)
  })

  it('keeps a refusal, an empty answer, and its key apart from those of other users', async () => {
    const [refused, removed, shared] = [newKey(), newKey(), newKey()]
    const first = await send(refused, 'refused')
    const second = await send(refused, 'refused')
    expect([second.statusCode, second.body]).toEqual([409, first.body])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    await send(removed, '', { method: 'DELETE' })
    const again = await send(removed, '', { method: 'DELETE' })
    expect([again.statusCode, again.body]).toEqual([204, ''])
    const [hers, others] = [await send(shared), await send(shared, 'a', { token: bia })]
    expect(others.json().id).not.toBe(hers.json().id)
    expect(others.headers[repliedBeforeHeader]).toBeUndefined()
  })

  it('is refused when the key stood for something else: another body, another route', async () => {
    const key = newKey()
    await send(key)
    for (const reply of [await send(key, 'b'), await send(key, 'a', { method: 'DELETE' })]) {
      expect(reply.statusCode).toBe(422)
      expect(reply.json().type).toBe('idempotency_key_reused')
    }
  })

  it('names the header when the key is malformed', async () => {
    for (const key of ['', 'x'.repeat(201), 'ação', ' ']) {
      const reply = await send(key)
      expect([key, reply.statusCode]).toEqual([key, 422])
      expect(reply.json().errors).toEqual([{ field: 'Idempotency-Key', message: expect.stringContaining('200') }])
    }
    expect((await send('x'.repeat(200))).statusCode).toBe(201)
  })

  it('runs again, as the same command, after trouble that passes', async () => {
    const key = newKey()
    expect((await send(key, 'broken')).statusCode).toBe(500)
    expect((await send(key, 'broken')).statusCode).toBe(500)
    const [first, second] = done.slice(-2)
    expect(second?.id).toBe(first?.id)
    expect([first?.repeated, second?.repeated]).toEqual([false, true])
  })

  it('is not remembered when it was refused before it began', async () => {
    const key = newKey()
    expect((await send(key, '')).statusCode).toBe(422)
    expect((await send(key, 'a')).statusCode).toBe(201)
    const early = newKey()
    expect((await send(early, 'a', { token: 'nobody' })).statusCode).toBe(401)
    expect((await send(early, 'b')).statusCode).toBe(201)
  })

  it('is taken over from a process that died, after asking to come again for a while', async () => {
    const key = newKey()
    const open = block()
    const stuck = send(key)
    const claims = 'select claimed_until from idempotent_request where claimed_until is not null'
    await until(async () => (await ports.pool.query(claims)).rowCount === 1)
    const early = await send(key)
    expect([early.statusCode, early.headers['retry-after']]).toEqual([409, '1'])
    expect(early.json().type).toBe('request_in_progress')
    now = later(now, 5000)
    obstacle = undefined
    const taken = await send(key)
    expect(taken.statusCode).toBe(201)
    open()
    await stuck
    expect(done.at(-1)?.id).toBe(taken.json().id)
    expect((await send(key)).body).toBe(taken.body)
  })

  it('runs again where the answer hands out a session, as the same command: secrets are not kept', async () => {
    const key = newKey()
    const enter = () => send(key, 'a', { url: '/api/enter', token: '' })
    const [first, second] = [await enter(), await enter()]
    expect(second.body).toBe(first.body)
    expect(second.cookies[0]?.value).not.toBe(first.cookies[0]?.value)
    expect(done.at(-1)).toEqual({ id: first.json().id, repeated: true })
  })

  it('of a visitor is another command with another body, and the same one with the same, also after a day', async () => {
    const key = newKey()
    const ids: string[] = []
    for (const name of ['a', 'b', 'a']) {
      ids.push((await send(key, name, { url: '/api/enter', token: '' })).json().id)
      now = later(now, 24 * 3600 * 1000 + 1)
    }
    expect(ids[1]).not.toBe(ids[0])
    expect(ids[2]).toBe(ids[0])
  })

  it('leaves nothing to read in the database, and is forgotten after a day', async () => {
    const key = 'ana.souza@example.com'
    await send(key, 'Ana Souza')
    const { rows } = await ports.pool.query('select * from idempotent_request')
    const everything = JSON.stringify(rows.map((row) => ({ ...row, reply: row.reply?.toString('latin1') })))
    expect(everything).toContain('fingerprint')
    for (const secret of ['ana', 'Ana', ana]) expect(everything).not.toContain(secret)
    now = later(now, 24 * 3600 * 1000 + 1)
    await send(newKey())
    expect((await ports.pool.query('select 1 from idempotent_request')).rowCount).toBe(1)
  })

  it('is a new one each time without a key', async () => {
    const [first, second] = [await send(undefined), await send(undefined)]
    expect(first.json().id).not.toBe(second.json().id)
  })
})
