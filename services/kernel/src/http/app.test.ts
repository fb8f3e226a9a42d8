import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { StoreUnavailable } from '../async/reachability.ts'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { createApp } from './app.ts'
import { refuse } from './problem.ts'
import { requireUser } from './require-user.ts'
import { sessionCookie } from './sign-in/browser-sessions.ts'

let ports: TestPorts
let app: FastifyInstance

const routes: FastifyPluginAsyncZod = async (scope) => {
  const body = z.object({ person: z.object({ name: z.string('Informe seu nome.').min(1, 'Informe seu nome.') }) })
  scope.post('/api/names', { schema: { body } }, async ({ body: { person } }) => person)
  scope.get('/api/mine', { onRequest: requireUser }, async ({ user }) => ({ id: user.id }))
  scope.get('/api/refused', async () => {
    throw refuse('contact_not_found')
  })
  scope.get('/api/lost', async () => {
    throw new StoreUnavailable('connection refused')
  })
  scope.get('/api/broken', async () => {
    throw new Error('postgres://user:secret@host failed')
  })
}

beforeAll(async () => {
  ports = await testPorts()
  app = await createApp({ ...ports, trustedOrigins: ['https://prosa.example'] })
  await app.register(routes)
})
afterAll(async () => {
  await app.close()
  await ports.close()
})

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/names',
    headers: { 'content-type': 'application/json', ...headers },
    payload: payload as string,
  })

describe('the border', () => {
  it('names the refused field and the reason in Portuguese', async () => {
    const reply = await post({ person: { name: '' } })
    expect(reply.statusCode).toBe(422)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(reply.json()).toMatchObject({
      type: 'invalid_request',
      errors: [{ field: 'person.name', message: 'Informe seu nome.' }],
      correlationId: reply.headers['x-correlation-id'],
    })
  })

  it('turns a refusal into its status and sentence', async () => {
    const reply = await app.inject('/api/refused')
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ type: 'contact_not_found', title: 'Contato não encontrado.' })
  })

  it('explains that the data is out of reach, and that nothing acknowledged is lost', async () => {
    const reply = await app.inject('/api/lost')
    expect(reply.statusCode).toBe(503)
    expect(reply.json().type).toBe('unavailable')
  })

  it('never shows what went wrong inside', async () => {
    const reply = await app.inject('/api/broken')
    expect(reply.statusCode).toBe(500)
    expect(reply.body).not.toContain('secret')
  })

  it('refuses a body over its limit with 413, and one that is no JSON with 400', async () => {
    expect((await post({ person: { name: 'a'.repeat(70_000) } })).statusCode).toBe(413)
    const broken = await app.inject({
      method: 'POST',
      url: '/api/names',
      headers: { 'content-type': 'application/json' },
      payload: '{"person":',
    })
    expect(broken.statusCode).toBe(400)
    expect(broken.json().title).toBe('Não foi possível entender o conteúdo enviado.')
  })

  it('knows nobody without a session, and the right user with one', async () => {
    expect((await app.inject('/api/mine')).statusCode).toBe(401)
    expect((await app.inject({ url: '/api/mine', cookies: { [sessionCookie]: 'made-up' } })).statusCode).toBe(401)
    const userId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
    const { token } = await ports.browserSessions.issue(userId)
    const reply = await app.inject({ url: '/api/mine', cookies: { [sessionCookie]: token } })
    expect(reply.json()).toEqual({ id: userId })
    await ports.browserSessions.revoke(token)
    expect((await app.inject({ url: '/api/mine', cookies: { [sessionCookie]: token } })).statusCode).toBe(401)
  })

  it('takes commands from its own pages and trusted origins only', async () => {
    const body = { person: { name: 'Ana' } }
    const host = 'prosa.local:3000'
    expect((await post(body, { host, origin: 'http://prosa.local:3000' })).statusCode).toBe(200)
    expect((await post(body, { host, origin: 'https://prosa.example' })).statusCode).toBe(200)
    expect((await post(body, { host, origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await post(body, { host, origin: 'null' })).statusCode).toBe(403)
    expect((await post(body, { host, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  })

  it('takes no command of another site under another spelling of its address', async () => {
    for (const url of ['/%61pi/names', '/api/%6eames', 'http://prosa.local/api/names', '/api/nothing', '/nothing']) {
      const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
      const payload = { person: { name: 'Ana' } }
      expect([url, (await app.inject({ method: 'POST', url, headers, payload })).statusCode]).toEqual([url, 403])
    }
  })

  it('lets no browser or proxy keep a reply of the API, nor what is refused before any route', async () => {
    for (const url of [
      '/api/refused',
      '/%61pi/refused',
      '/api/nothing',
      '/api/refused%zz',
      `/api/${'a'.repeat(200)}`,
    ]) {
      const { headers } = await app.inject(url)
      expect([url, headers['cache-control']]).toEqual([url, 'no-store'])
      expect(headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})
