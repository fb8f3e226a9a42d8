import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { createApp } from '../app.ts'
import { refuse } from '../problem.ts'
import { sessionCookie } from '../sign-in/browser-sessions.ts'
import { knownBrowserCookie } from '../sign-in/known-browser.ts'
import type { RateLimit } from './rate-limits.ts'

const window = { windowSeconds: 300 }
const loginLimits: readonly RateLimit[] = [
  { ...window, per: 'address and email', max: 5, counts: 'failures', beyond: 'refuse' },
  { ...window, per: 'address', max: 12, counts: 'failures', beyond: 'refuse' },
  { ...window, per: 'email', max: 8, counts: 'failures', beyond: 'delay' },
]

let ports: TestPorts
let app: FastifyInstance
let now = 0
const pauses: number[] = []

const routes: FastifyPluginAsyncZod = async (scope) => {
  const body = z.object({ email: z.string(), password: z.string() })
  scope.post('/api/login', { config: { limits: loginLimits }, schema: { body } }, async (request, reply) => {
    if (request.body.password === 'broken') throw new Error('the database fell over')
    if (request.body.password !== 'right') throw refuse('wrong_credentials')
    reply.setCookie(sessionCookie, 'token', { path: '/', secure: true })
    return { welcome: true }
  })
  scope.post(
    '/api/register',
    { config: { limits: [{ per: 'address', max: 2, windowSeconds: 60, counts: 'requests', beyond: 'refuse' }] } },
    async () => ({ done: true }),
  )
  scope.get('/api/poll', async () => ({ done: true }))
  const signed = {
    preValidation: async (request: FastifyRequest) => {
      request.isSigned = request.headers.authorization === 'signed'
    },
  }
  const twice = { per: 'address', max: 2, windowSeconds: 60, beyond: 'refuse' } as const
  scope.post('/report', { ...signed, config: { limits: [{ ...twice, counts: 'failures' }] } }, async (request) => {
    if (!request.isSigned) throw refuse('webhook_signature_invalid')
    return { done: true }
  })
  scope.post('/upload', { ...signed, config: { limits: [{ ...twice, counts: 'requests' }] } }, async () => ({
    done: true,
  }))
}

beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

beforeEach(async () => {
  await app?.close()
  pauses.length = 0
  app = await createApp({
    ...ports,
    stopwatch: () => now,
    trustedOrigins: [],
    trustProxy: true,
    pause: async (ms) => pauses.push(ms),
  })
  await app.register(routes)
})
afterAll(() => app.close())

const login = (email: string, password: string, from = '203.0.113.7', browser?: string) =>
  app.inject({
    method: 'POST',
    url: '/api/login',
    headers: { 'x-forwarded-for': from },
    cookies: browser ? { [knownBrowserCookie]: browser } : {},
    payload: { email, password },
  })

const guess = async (times: number, email: string, from?: string, browser?: string) => {
  const statuses: number[] = []
  for (let count = 0; count < times; count++) statuses.push((await login(email, 'wrong', from, browser)).statusCode)
  return statuses
}

const browserThatSignedIn = async (email: string, from: string) => {
  const welcomed = await login(email, 'right', from)
  const cookie = welcomed.cookies.find(({ name }) => name === knownBrowserCookie)
  if (!cookie) throw new Error('the browser got no cookie')
  return cookie.value
}

describe('the limits of a route', () => {
  it('refuse the sixth guess from one address at one account, name the time to wait, and then let it through', async () => {
    expect(await guess(5, 'ana@example.com')).toEqual([401, 401, 401, 401, 401])
    now += 60_000
    const refused = await login('ana@example.com', 'right')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('240')
    expect(refused.headers['content-type']).toContain('application/problem+json')
    expect(refused.json()).toMatchObject({
      type: 'too_many_attempts',
      title: 'Muitas tentativas. Tente de novo em 4 minutos.',
    })
    now += 240_000
    expect((await login('ana@example.com', 'right')).statusCode).toBe(200)
  })

  it('do not count those who get in, nor trouble of our own', async () => {
    for (let count = 0; count < 8; count++) expect((await login('ana@example.com', 'right')).statusCode).toBe(200)
    for (let count = 0; count < 8; count++) expect((await login('ana@example.com', 'broken')).statusCode).toBe(500)
    expect(await guess(5, 'ana@example.com')).not.toContain(429)
  })

  it('count guesses that are made all at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => login('ana@example.com', 'wrong')))
    expect(replies.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5)
  })

  it('of failures let through what is signed, whatever others at its address failed at; those of requests count it', async () => {
    const post = async (url: string, authorization: string) =>
      (await app.inject({ method: 'POST', url, headers: { authorization, 'x-forwarded-for': '203.0.113.7' } }))
        .statusCode
    const statuses: number[] = []
    for (const authorization of ['wrong', 'wrong', 'wrong', 'signed', 'wrong', 'signed'])
      statuses.push(await post('/report', authorization))
    expect(statuses).toEqual([401, 401, 429, 200, 429, 200])
    expect([await post('/upload', 'signed'), await post('/upload', 'signed'), await post('/upload', 'signed')]).toEqual(
      [200, 200, 429],
    )
  })

  it('lock nobody out of an account from elsewhere: it only answers later there', async () => {
    for (const from of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'])
      await guess(5, 'ana@example.com', from)
    expect(pauses.slice(0, 3)).toEqual([250, 500, 1000])
    expect(Math.max(...pauses)).toBe(5000)
    expect((await login('ana@example.com', 'right', '198.51.100.9')).statusCode).toBe(200)
  })

  it('let the browser through in which the account signed in before, also behind the address of the guesser', async () => {
    const own = await browserThatSignedIn('ana@example.com', '203.0.113.7')
    expect(await guess(6, 'ana@example.com')).toContain(429)
    pauses.length = 0
    expect((await login('ana@example.com', 'right', '203.0.113.7', own)).statusCode).toBe(200)
    expect(pauses).toEqual([])
  })

  it('hold for a known browser too, and for no other account than the one that signed in there', async () => {
    const own = await browserThatSignedIn('ana@example.com', '203.0.113.7')
    expect((await guess(6, 'ana@example.com', '203.0.113.7', own)).at(-1)).toBe(429)
    expect((await guess(6, 'bia@example.com', '203.0.113.7', own)).at(-1)).toBe(429)
    const forged = own.replace(/^./, (first) => (first === '0' ? '1' : '0'))
    await guess(5, 'ana@example.com', '203.0.113.8')
    expect((await login('ana@example.com', 'right', '203.0.113.8', forged)).statusCode).toBe(429)
  })

  it('stop one address that tries many accounts, counting a whole IPv6 network as one', async () => {
    for (let count = 0; count < 12; count++)
      expect(await guess(1, `p${count}@example.com`, `2001:db8:1:2::${count}`)).toEqual([401])
    expect(await guess(1, 'p12@example.com', '2001:db8:1:2::ffff')).toEqual([429])
    expect(await guess(1, 'p12@example.com', '2001:db8:1:3::1')).toEqual([401])
  })

  it('do not count against others behind one address what was refused for one account', async () => {
    await guess(20, 'ana@example.com')
    expect((await login('bia@example.com', 'right')).statusCode).toBe(200)
  })

  it('count every request where success is what must not happen often', async () => {
    const register = () =>
      app.inject({ method: 'POST', url: '/api/register', headers: { 'x-forwarded-for': '10.0.0.1' } })
    expect([(await register()).statusCode, (await register()).statusCode]).toEqual([200, 200])
    expect((await register()).json().title).toBe('Muitas tentativas. Tente de novo em 1 minuto.')
  })

  it('count a visitor under the address that the proxy saw, whatever they claim to come from', async () => {
    const register = (claimed: string) =>
      app.inject({
        method: 'POST',
        url: '/api/register',
        headers: { 'x-forwarded-for': `${claimed}, 203.0.113.7` },
      })
    const replies = [await register('198.51.100.1'), await register('198.51.100.2'), await register('198.51.100.3')]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
  })
})

describe('the general limit', () => {
  const poll = (cookie?: string) =>
    app.inject({
      url: '/api/poll',
      cookies: cookie ? { [sessionCookie]: cookie } : {},
      headers: { 'x-forwarded-for': '10.0.0.2' },
    })

  it('stops a visitor at 3,000 a minute, and counts everybody who is signed in apart', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map((digit) => ports.browserSessions.issue(`7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a1${digit}`)),
    )
    for (let count = 0; count < 3000; count++) await poll()
    expect((await poll()).statusCode).toBe(429)
    // As thirty tabs poll in a minute.
    for (let count = 0; count < 2900; count++) await poll(one?.token)
    expect((await poll(one?.token)).statusCode).toBe(200)
    expect((await poll(other?.token)).statusCode).toBe(200)
  }, 30_000)

  it('counts a request under whatever spelling of an address it comes, also where nothing is', async () => {
    const spellings = ['/api/poll', '/%61pi/poll', '/api/%70oll', '/API/poll', '//api/poll', '/nothing', '/%2561pi/x']
    const ask = (count: number) =>
      app.inject({ url: spellings[count % spellings.length] ?? '', headers: { 'x-forwarded-for': '10.0.0.3' } })
    for (let count = 0; count < 3000; count++) expect((await ask(count)).headers['cache-control']).toBe('no-store')
    for (const at of spellings.keys()) expect([spellings[at], (await ask(at)).statusCode]).toEqual([spellings[at], 429])
  }, 30_000)
})
