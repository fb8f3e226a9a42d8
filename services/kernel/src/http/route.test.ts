import { randomUUID } from 'node:crypto'
import { endpoint } from '@prosa/contracts/http/endpoint'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { host } from '../host.ts'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { createApp } from './app.ts'
import { route } from './route.ts'
import { sessionCookie } from './sign-in/browser-sessions.ts'

const ana = randomUUID()
const area = 'Conta'
const summary = 'Para este teste.'
const thing = z.object({ id: z.string(), size: z.number() })

const readThing = endpoint({
  method: 'GET',
  path: '/api/boxes/:boxId/things/:id',
  service: 'operations',
  area,
  summary,
  query: z.object({ scale: z.coerce.number().default(1) }),
  replies: { 200: thing },
})
const addThing = endpoint({
  method: 'POST',
  path: '/api/things',
  service: 'operations',
  area,
  summary,
  open: true,
  body: z.object({ size: z.string().transform(Number) }),
  replies: { 201: thing },
})
const addSizes = endpoint({
  method: 'POST',
  path: '/api/sizes',
  service: 'operations',
  area,
  summary,
  open: true,
  body: z.object({ sizes: z.array(z.string()) }),
  replies: { 200: z.object({ count: z.number() }) },
})
const auditThings = endpoint({
  method: 'GET',
  path: '/api/audit',
  service: 'operations',
  area,
  summary,
  role: 'admin',
  reads: 'nothing',
  replies: { 200: z.array(thing) },
})

let ports: TestPorts
let app: FastifyInstance
let admins: string[] = []
const roles = { of: async (id: string) => (admins.includes(id) ? (['admin'] as const) : []) }

beforeAll(async () => {
  ports = await testPorts()
  app = await createApp({ ...ports, trustedOrigins: [] })
  await app.register(async (scope) => {
    route(scope, readThing, ({ params, query }) => ({ id: `${params.boxId}/${params.id}`, size: query.scale }))
    route(scope, addThing, async ({ body }, reply) => reply.code(201).send({ id: 'new', size: body.size }))
    route(scope, addSizes, { bodyLimit: 2 ** 21 }, ({ body }) => ({ count: body.sizes.length }))
    route(scope, auditThings, { roles }, async () => [])
  })
})
afterAll(async () => {
  await app.close()
  await ports.close()
})

const statusesOf = async (url: string) => {
  const { token } = await ports.browserSessions.issue(ana)
  const visitor = await app.inject(url)
  const user = await app.inject({ url, headers: { cookie: `${sessionCookie}=${token}` } })
  return { visitor: visitor.statusCode, user: user.statusCode, body: user.json() }
}

describe('a route made from a record', () => {
  it('names the first hundred faults of a body that has very many, and takes one that has none whole', async () => {
    const send = (sizes: unknown[]) => app.inject({ method: 'POST', url: '/api/sizes', payload: { sizes } })
    const refused = await send(Array.from({ length: 190_000 }, () => 0))
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toHaveLength(100)
    expect(refused.json().errors[0]).toEqual({ field: 'sizes.0', message: expect.any(String) })
    expect((await send(Array.from({ length: 150_000 }, () => ''))).json()).toEqual({ count: 150_000 })
  })

  it('is where the record names it, with the parts of the path, the query and its defaults', async () => {
    const { user, body } = await statusesOf('/api/boxes/a/things/b?scale=3')
    expect([user, body]).toEqual([200, { id: 'a/b', size: 3 }])
    expect((await statusesOf('/api/boxes/a/things/b')).body.size).toBe(1)
  })

  it('lets nobody in who is not signed in, unless the record allows it', async () => {
    expect(await statusesOf('/api/boxes/a/things/b')).toMatchObject({ visitor: 401, user: 200 })
    const open = await app.inject({ method: 'POST', url: '/api/things', payload: { size: '2' } })
    expect([open.statusCode, open.json()]).toEqual([201, { id: 'new', size: 2 }])
  })

  it('refuses what the body of the record does not allow', async () => {
    const refused = await app.inject({ method: 'POST', url: '/api/things', payload: { size: 2 } })
    expect([refused.statusCode, refused.json().errors[0].field]).toEqual([422, 'size'])
  })

  it('lets only those in who have the role of the record', async () => {
    expect(await statusesOf('/api/audit')).toMatchObject({ visitor: 401, user: 403 })
    admins = [ana]
    expect(await statusesOf('/api/audit')).toMatchObject({ visitor: 401, user: 200 })
  })

  it('is registered by the service that its record names, and by no other', async () => {
    const registered = async (service: string) => {
      const mounted = {
        name: service,
        mount: async () => ({
          routes: async (scope: FastifyInstance) => void route(scope, readThing, () => ({ id: 'a', size: 1 })),
        }),
      }
      const store = { ...ports.store, close: async () => undefined }
      const running = await host([mounted], { ...ports, store }, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
      await running.stop()
    }
    await registered('operations')
    await expect(registered('contacts')).rejects.toThrow('is answered by contacts, its record names operations')
  })

  it('does not compile where the handler and the record differ', () => {
    const wrong = (scope: FastifyInstance) => {
      // @ts-expect-error: a size is a number
      route(scope, readThing, () => ({ id: 'a', size: '3' }))
      // @ts-expect-error: a thing has a size
      route(scope, readThing, async () => ({ id: 'a' }))
      // @ts-expect-error: a reply with 201 names its status
      route(scope, addThing, async () => ({ id: 'a', size: 3 }))
      // @ts-expect-error: a size is a number, also where the status is named
      route(scope, addThing, async (_, reply) => reply.code(201).send({ id: 'a', size: '3' }))
      // @ts-expect-error: the record has no such status
      route(scope, addThing, async (_, reply) => reply.code(202).send({ id: 'a', size: 3 }))
      // @ts-expect-error: the path has no such part
      route(scope, readThing, ({ params }) => ({ id: params.thingId, size: 3 }))
      // @ts-expect-error: the size is a number by now
      route(scope, addThing, async ({ body }, reply) => reply.code(201).send({ id: body.size, size: 3 }))
      // @ts-expect-error: it is unknown who has the role
      route(scope, auditThings, async () => [])
      // @ts-expect-error: it is unknown who has the role
      route(scope, auditThings, {}, async () => [])
    }
    expect(wrong).toBeInstanceOf(Function)
  })
})
