import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoint } from '@prosa/contracts/http/endpoint'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { until } from '../../testing/until.ts'
import { createApp } from '../app.ts'
import { route } from '../route.ts'
import { sessionCookie } from '../sign-in/browser-sessions.ts'

const record = <const Path extends `/api/${string}`>(path: Path, costs?: 'computing' | 'large') =>
  endpoint({
    ...({
      method: 'POST',
      path,
      service: 'operations',
      area: 'Conta',
      summary: 'Para este teste.',
      body: z.unknown(),
    } as const),
    ...(costs && { costs }),
    replies: { 200: z.object({ pieces: z.number() }) },
  })

let ports: TestPorts
let app: FastifyInstance
let now: number
let begun: string[]
let ended: string[]
let isEnough: boolean
let msOfPiece: number

beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

beforeEach(async () => {
  ;[now, begun, ended, isEnough, msOfPiece] = [0, [], [], false, 0]
  app = await createApp({ ...ports, trustedOrigins: [], stopwatch: () => now })
  await app.register(async (scope) => {
    route(scope, record('/api/compute', 'computing'), { bodyLimit: 4_000_000 }, async ({ slice, user }) => {
      begun.push(user.id)
      let pieces = 0
      try {
        for (; !isEnough; pieces++) {
          now += msOfPiece
          await slice.turn()
        }
        ended.push('done')
      } catch (error) {
        ended.push('thrown out')
        throw error
      }
      return { pieces }
    })
    route(scope, record('/api/other-compute', 'computing'), async () => ({ pieces: 0 }))
    route(scope, record('/api/store', 'large'), async () => ({ pieces: 0 }))
    route(scope, record('/api/light'), async () => ({ pieces: 0 }))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => app.close())

const signIn = async (id: string = randomUUID()) => {
  const { token } = await ports.browserSessions.issue(id)
  const headers = { cookie: `${sessionCookie}=${token}`, 'content-type': 'application/json' }
  return {
    id,
    post: (url: string, payload: string = '{}') => app.inject({ method: 'POST', url, headers, payload }),
    send(url: string) {
      const { port } = app.server.address() as AddressInfo
      const request = httpRequest({ host: '127.0.0.1', port, path: url, method: 'POST', headers })
      request.on('error', () => undefined)
      request.end('{}')
      return request
    },
  }
}
const waiting = () => app.computations.metrics().find(({ name }) => name === 'prosa_computations_waiting')?.value

describe('what one request computes at length', () => {
  it('is computed for one user once at a time: of thirty requests at once from two sessions, ten wait and nineteen are refused', async () => {
    const ana = await signIn()
    const sameAna = await signIn(ana.id)
    const asked = Array.from({ length: 30 }, (_, count) => (count % 2 ? ana : sameAna).post('/api/compute'))
    let answered = 0
    for (const each of asked) void each.then(() => (answered += 1))
    await until(() => answered === 19)
    expect(waiting()).toBe(10)
    expect(begun).toEqual([ana.id])
    const live = await app.inject({ method: 'GET', url: '/api/nothing' })
    expect(live.statusCode).toBe(404)
    isEnough = true
    const replies = await Promise.all(asked)
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(11)
    const refused = replies.find(({ statusCode }) => statusCode !== 200)
    expect(refused?.json()).toMatchObject({
      type: 'too_many_computations',
      status: 503,
      title: 'Há cálculos demais em andamento. Nada mudou: espere que terminem e tente de novo em alguns segundos.',
    })
    expect(refused?.headers['retry-after']).toBe('5')
  })

  it('is computed for four users at a time, whoever else comes waits, and no user is passed over', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => signIn()))
    const asked = users.map(({ post }) => post('/api/compute'))
    await until(() => waiting() === 8 && begun.length === 4)
    expect(new Set(begun).size).toBe(4)
    const again = users[0]?.post('/api/compute')
    await until(() => waiting() === 9)
    isEnough = true
    const replies = await Promise.all([...asked, again])
    expect(replies.every((reply) => reply?.statusCode === 200)).toBe(true)
    expect(new Set(begun.slice(0, 12)).size).toBe(12)
  })

  it('of somebody who comes for the first time makes room among sixty that wait, of six users', async () => {
    const six = await Promise.all(Array.from({ length: 6 }, () => signIn()))
    const asked = six.flatMap(({ post }) => Array.from({ length: 11 }, () => post('/api/compute')))
    const statuses: number[] = []
    for (const each of asked) void each.then(({ statusCode }) => statuses.push(statusCode))
    await until(() => waiting() === 60 && begun.length === 4 && statuses.length === 2)
    const ana = await signIn()
    const first = ana.post('/api/compute')
    await until(() => statuses.length === 3)
    expect([statuses, waiting()]).toEqual([[503, 503, 503], 60])
    expect((await ana.post('/api/compute')).statusCode).toBe(503)
    isEnough = true
    expect((await first).statusCode).toBe(200)
    await Promise.all(asked)
    expect(statuses.filter((status) => status === 200)).toHaveLength(6 * 11 - 3)
  })

  it('ends once its client hangs up, and the next one begins', async () => {
    const [ana, bia] = [await signIn(), await signIn()]
    const request = ana.send('/api/compute')
    await until(() => begun.length === 1)
    request.destroy()
    await until(() => ended.length === 1)
    expect(ended).toEqual(['thrown out'])
    isEnough = true
    expect((await bia.post('/api/compute')).statusCode).toBe(200)
  })

  it('does not begin for a client that hung up while it waited', async () => {
    const ana = await signIn()
    const first = ana.post('/api/compute')
    await until(() => begun.length === 1)
    const request = ana.send('/api/compute')
    await until(() => waiting() === 1)
    request.destroy()
    await until(() => waiting() === 0)
    isEnough = true
    expect((await first).statusCode).toBe(200)
    expect(begun).toHaveLength(1)
  })

  it('ends with a refusal when its budget is used up', async () => {
    const ana = await signIn()
    msOfPiece = 9
    const reply = await ana.post('/api/compute')
    expect(now).toBeGreaterThanOrEqual(10_000)
    expect(ended).toEqual(['thrown out'])
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({
      type: 'computation_too_long',
      title:
        'Isto levou tempo demais para ser calculado e foi interrompido. Nada mudou: encurte o fluxo ou a conversa do teste e tente de novo.',
    })
  })

  it('ends when the process is to stop, with what waits, and nothing begins any more', async () => {
    const ana = await signIn()
    const asked = [ana.post('/api/compute'), ana.post('/api/compute')]
    await until(() => begun.length === 1 && waiting() === 1)
    app.computations.stop()
    const replies = [...(await Promise.all(asked)), await ana.post('/api/compute')]
    for (const reply of replies) expect(reply.json()).toMatchObject({ type: 'computation_stopped', status: 503 })
    expect(begun).toHaveLength(1)
  })
})

describe('the limits by what an endpoint costs', () => {
  it('let a user compute thirty times a minute, over all endpoints and sessions together', async () => {
    isEnough = true
    const [ana, bia] = [await signIn(), await signIn()]
    const sameAna = await signIn(ana.id)
    for (let count = 0; count < 15; count++) {
      expect((await ana.post('/api/compute')).statusCode).toBe(200)
      expect((await sameAna.post('/api/other-compute')).statusCode).toBe(200)
    }
    now += 20_000
    const refused = await sameAna.post('/api/compute')
    expect(refused.json()).toMatchObject({
      type: 'too_many_attempts',
      status: 429,
      title: 'Muitas tentativas. Tente de novo em 40 segundos.',
    })
    expect(refused.headers['retry-after']).toBe('40')
    expect((await bia.post('/api/compute')).statusCode).toBe(200)
    for (const light of ['/api/light', '/api/store']) expect((await ana.post(light)).statusCode).toBe(200)
    now += 40_000
    expect((await ana.post('/api/compute')).statusCode).toBe(200)
  })

  it('let a user send, store or read a lot 240 times a minute', async () => {
    const ana = await signIn()
    for (let count = 0; count < 240; count++) expect((await ana.post('/api/store')).statusCode).toBe(200)
    expect((await ana.post('/api/store')).statusCode).toBe(429)
    expect((await ana.post('/api/compute', '{')).statusCode).toBe(400)
  })

  it('refuse before the body is read', async () => {
    const ana = await signIn()
    for (let count = 0; count < 30; count++) await ana.post('/api/other-compute')
    // Parsing the invalid body would give 400.
    expect((await ana.post('/api/other-compute', '{')).statusCode).toBe(429)
  })

  it('ask visitors to sign in, and count nothing of theirs', async () => {
    for (let count = 0; count < 31; count++)
      expect((await app.inject({ method: 'POST', url: '/api/compute', payload: {} })).statusCode).toBe(401)
  })
})

describe('a large body', () => {
  it('is refused where it has more values than any flow, before it is parsed', async () => {
    const ana = await signIn()
    const reply = await ana.post('/api/compute', `[${'[],'.repeat(150_000)}[]`)
    expect(reply.json()).toMatchObject({ type: 'body_too_many_values', status: 413 })
  })

  it('is read whole where it has not', async () => {
    isEnough = true
    const ana = await signIn()
    expect((await ana.post('/api/compute', JSON.stringify({ text: 'a,b '.repeat(40_000) }))).statusCode).toBe(200)
    expect((await ana.post('/api/compute', JSON.stringify({ text: `a\0${'b'.repeat(70_000)}` }))).statusCode).toBe(400)
    expect((await ana.post('/api/compute', `{"text":"${'b'.repeat(70_000)}`)).statusCode).toBe(400)
  })
})
