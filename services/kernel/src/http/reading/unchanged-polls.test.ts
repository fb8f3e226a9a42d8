import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { until } from '../../testing/until.ts'
import { createApp } from '../app.ts'
import { cookieAuthenticator } from '../authentication/cookie-authenticator.ts'
import { requireUser } from '../require-user.ts'
import { browserSessions, sessionCookie } from '../sign-in/browser-sessions.ts'

const limits = [
  'headersTimeout',
  'keepAliveTimeout',
  'maxHeadersCount',
  'maxRequestsPerSocket',
  'requestTimeout',
  'timeout',
] as const

const requestsAMinute = 300
const minute = 60_000

describe('a poll that was answered 304', () => {
  let ports: TestPorts
  let app: Awaited<ReturnType<typeof createApp>>
  let url: string
  let cookie: string
  let throughFastify = 0
  let isStill = true
  let now = 0
  const closing = new AbortController()
  beforeAll(async () => {
    ports = await testPorts()
    // Revocations are received, which enables the cache.
    const sessions = browserSessions(ports.pool, { url: ports.databaseUrl, signal: closing.signal })
    app = await createApp({
      ...ports,
      authenticator: cookieAuthenticator(sessions),
      trustedOrigins: [],
      limitScale: requestsAMinute / 3000,
      stopwatch: () => now,
    })
    app.addHook('onRequest', async () => void throughFastify++)
    app.get('/api/list', { onRequest: requireUser }, async (request, reply) => {
      reply.header('etag', 'W/"list"')
      if (request.headers['if-none-match'] !== 'W/"list"') return { list: [] }
      request.server.unchangedPolls.cache(request, reply, () => isStill)
      return reply.code(304).send()
    })
    url = await app.listen({ host: '127.0.0.1', port: 0 })
    cookie = await signedIn()
  })
  afterAll(async () => {
    await app.close()
    closing.abort()
    await ports.close()
  })

  const signedIn = async () => `${sessionCookie}=${(await ports.browserSessions.issue(randomUUID())).token}`

  const poll = async (more: Record<string, string> = {}) => {
    const before = throughFastify
    const { status } = await fetch(`${url}/api/list`, { headers: { cookie, 'if-none-match': 'W/"list"', ...more } })
    return { status, throughFastify: throughFastify > before }
  }

  it('is answered before Fastify sees it, for as long as that is right', async () => {
    expect(await poll()).toEqual({ status: 304, throughFastify: true })
    await until(async () => !(await poll()).throughFastify)
    isStill = false
    expect(await poll()).toEqual({ status: 304, throughFastify: true })
    isStill = true
    expect(await poll()).toEqual({ status: 304, throughFastify: false })
  })

  it('goes the full way where anything about it is another', async () => {
    expect(await poll({ cookie: `${sessionCookie}=another` })).toEqual({ status: 401, throughFastify: true })
    expect(await poll({ 'if-none-match': 'W/"older"' })).toEqual({ status: 200, throughFastify: true })
  })

  it('counts toward the limit of its session, however it is answered, and of no other', async () => {
    const [one, other] = [{ cookie: await signedIn() }, { cookie: await signedIn() }]
    const cached = async (who: { cookie: string }) => {
      await until(async () => {
        now += minute
        return !(await poll(who)).throughFastify
      })
      now += minute
    }
    await cached(one)
    for (let count = 0; count < requestsAMinute; count++)
      expect(await poll(one)).toEqual({ status: 304, throughFastify: false })
    expect((await poll(one)).status).toBe(429)
    await poll(other)
    expect((await poll(other)).status).toBe(304)
    now += minute
    expect((await poll(one)).status).toBe(304)
  })

  it('meets a server with the limits of one that Fastify makes itself', () => {
    const own = fastify({ requestTimeout: 15 * 60_000 }).server
    expect(limits.map((limit) => [limit, app.server[limit]])).toEqual(limits.map((limit) => [limit, own[limit]]))
    expect(app.server.listenerCount('request')).toBe(1)
    own.close()
  })
})
