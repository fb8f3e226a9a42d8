import { randomUUID } from 'node:crypto'
import { endpoint } from '@prosa/contracts/http/endpoint'
import { idempotencyKeyHeader, repliedBeforeHeader } from '@prosa/contracts/http/problem'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defaultBudgets } from '../../budgets.ts'
import { postgresSpending } from '../../spending/spending.ts'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { createApp } from '../app.ts'
import type { RequestedCommand } from '../idempotency/idempotency.ts'
import { route } from '../route.ts'
import { sessionCookie } from '../sign-in/browser-sessions.ts'

const body = z.object({ text: z.string() })
const replies = { 200: z.object({ text: z.string() }) }
const at = { service: 'operations', area: 'Conversas', summary: 'Para um teste.', body, replies } as const
const write = endpoint({ ...at, method: 'POST', path: '/api/texts' })
const writeApart = endpoint({ ...at, method: 'POST', path: '/api/drafts' })
const remove = endpoint({ ...at, method: 'DELETE', path: '/api/texts' })
const test = endpoint({ ...at, method: 'POST', path: '/api/test', changesNothing: true })
const leave = endpoint({ ...at, method: 'POST', path: '/api/leave', isBeyondBudgets: true })
const register = endpoint({ ...at, method: 'POST', path: '/api/register', open: true })
const administer = endpoint({ ...at, method: 'POST', path: '/api/admin/texts', role: 'admin', reads: 'nothing' })

const budgets = { ...defaultBudgets, changesPerDay: 5, changedBytesPerDay: 1000, keptAnswerBytesPerDay: 100_000 }
let now = '2026-11-25T15:00:00.000Z'
let ports: TestPorts
const apps: FastifyInstance[] = []
const refused: string[] = []
let executed = 0
const commands: RequestedCommand[] = []

const start = async (): Promise<FastifyInstance> => {
  const clock = { now: () => now }
  const spending = postgresSpending({ pool: ports.pool, clock, budgets })
  const roles = { of: async () => ['admin' as const] }
  const onRefused = (refusal: string) => refused.push(refusal)
  const app = await createApp({ ...ports, clock, spending, trustedOrigins: [], onRefused })
  const handler = async (request: { body: { text: string }; command: RequestedCommand }) => {
    executed += 1
    commands.push(request.command)
    if (request.body.text === 'broken') throw new Error('the database fell over')
    const [kind, bytes] = request.body.text.split(' ')
    return { text: kind === 'answer' ? 'a'.repeat(Number(bytes)) : 'done' }
  }
  for (const each of [write, remove, test, leave, register]) route(app, each, handler)
  route(app, administer, { roles }, handler)
  route(app, writeApart, { config: { countsBodyItself: true } }, handler)
  apps.push(app)
  return app
}
let one: FastifyInstance
let other: FastifyInstance
beforeAll(async () => {
  ports = await testPorts({ budgets })
  one = await start()
  other = await start()
})
afterAll(async () => {
  for (const app of apps) await app.close()
  await ports.close()
})

const somebody = async () => (await ports.browserSessions.issue(randomUUID())).token
const send = (token: string, { method, path }: { method: string; path: string }, text = 'x', app = one, key?: string) =>
  app.inject({
    method: method as 'POST',
    url: path,
    payload: { text },
    cookies: { [sessionCookie]: token },
    headers: key === undefined ? {} : { [idempotencyKeyHeader]: key },
  })

describe('the changes of a day', () => {
  it('are refused beyond the budget, over all processes, in words and with the time until midnight', async () => {
    const [ana, bia] = [await somebody(), await somebody()]
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => send(ana, write, 'x', n % 2 ? one : other)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5)
    const [last] = [await send(ana, write)]
    expect([last.statusCode, last.json(), last.headers['retry-after']]).toMatchObject([
      429,
      { type: 'day_used_up', title: expect.stringContaining('o que seus clientes escrevem continua chegando') },
      String(12 * 3600),
    ])
    expect(refused.filter((name) => name === 'day_used_up')).toHaveLength(8)
    expect((await send(bia, write)).statusCode).toBe(200)
    now = '2026-11-26T03:00:00.000Z'
    expect((await send(ana, write)).statusCode).toBe(200)
  })

  it('do not stand in the way of deleting, trying out, leaving, visitors, and who administers', async () => {
    const ana = await somebody()
    for (let time = 0; time < 6; time++) await send(ana, write)
    for (const each of [remove, test, leave, register, administer])
      expect([each.path, (await send(ana, each)).statusCode]).toEqual([each.path, 200])
  })

  it('are bounded in bytes, of drafts by their own budget', async () => {
    const ana = await somebody()
    expect((await send(ana, write, 'a'.repeat(900))).statusCode).toBe(200)
    expect((await send(ana, write, 'a'.repeat(900))).json().type).toBe('day_used_up')
    expect((await send(ana, write, 'a')).statusCode).toBe(200)
    expect((await send(ana, writeApart, 'a'.repeat(5000))).statusCode).toBe(200)
  })

  it('that were refused are carried out under the same key another day', async () => {
    const [ana, key] = [await somebody(), randomUUID()]
    for (let time = 0; time < 5; time++) await send(ana, write)
    expect((await send(ana, write, 'x', one, key)).statusCode).toBe(429)
    now = '2026-11-27T03:00:00.000Z'
    expect((await send(ana, write, 'x', other, key)).statusCode).toBe(200)
  })
})

describe('the answer of a command', () => {
  const storedBytes = async () => {
    const { rows } = await ports.pool.query(
      'select coalesce(sum(octet_length(reply)), 0)::int as bytes from idempotent_request',
    )
    return rows[0].bytes
  }
  const twice = async (which: { method: string; path: string }, text: string, token: string) => {
    const [key, before] = [randomUUID(), executed]
    const [first, second] = [await send(token, which, text, one, key), await send(token, which, text, other, key)]
    expect([second.statusCode, second.body]).toEqual([200, first.body])
    return executed - before
  }

  it('is kept up to 64 kB; a larger one is made again by the same command', async () => {
    const [ana, before] = [await somebody(), await storedBytes()]
    expect(await twice(write, `answer ${64 * 1024}`, ana)).toBe(2)
    expect(await storedBytes()).toBe(before)
    expect(await twice(write, 'answer 60000', ana)).toBe(1)
    expect(await storedBytes()).toBeGreaterThan(before + 60_000)
  })

  it('of what changes nothing is not kept, nor is its key: it is asked again', async () => {
    const ana = await somebody()
    const rows = async () => (await ports.pool.query('select from idempotent_request')).rowCount
    const before = await rows()
    expect(await twice(test, 'x', ana)).toBe(2)
    const key = randomUUID()
    for (const text of ['one', 'another']) expect((await send(ana, test, text, one, key)).statusCode).toBe(200)
    expect(await rows()).toBe(before)
  })

  it('is kept within the day’s budget of the account: beyond it the command is executed again, as the same one', async () => {
    const [ana, bia] = [await somebody(), await somebody()]
    expect(await twice(write, 'answer 60000', ana)).toBe(1)
    expect(await twice(write, 'answer 60001', ana)).toBe(2)
    expect(await twice(write, 'answer 60000', bia)).toBe(1)
  })

  it('is given to who repeats a command also beyond the budget of the day, and counts as no change', async () => {
    const [ana, key] = [await somebody(), randomUUID()]
    const first = await send(ana, write, 'answer 10', one, key)
    for (let time = 0; time < 4; time++) expect((await send(ana, write, 'x', one, key)).statusCode).toBe(422)
    for (let time = 0; time < 4; time++) expect((await send(ana, write)).statusCode).toBe(200)
    expect((await send(ana, write)).json().type).toBe('day_used_up')
    const again = await send(ana, write, 'answer 10', other, key)
    expect([again.statusCode, again.body, again.headers[repliedBeforeHeader]]).toEqual([200, first.body, 'true'])
  })
})

describe('the keys of repeated commands', () => {
  const rows = async () => (await ports.pool.query('select from idempotent_request')).rowCount ?? 0

  it('are noted within the day’s budget of the account, also of deletions, which nothing refuses', async () => {
    const ana = await somebody()
    const before = await rows()
    for (let time = 0; time < 250; time++)
      expect((await send(ana, remove, 'x', one, randomUUID())).statusCode).toBe(200)
    expect((await rows()) - before).toBeLessThanOrEqual(100_000 / 512)
    expect(commands.at(-1)).toMatchObject({ repeated: true })
    const key = randomUUID()
    for (let time = 0; time < 2; time++) await send(ana, remove, 'x', one, key)
    expect(commands.at(-1)).toEqual(commands.at(-2))
  })

  it('that were given up before the budget ended are taken up again beyond it', async () => {
    const [ana, key] = [await somebody(), randomUUID()]
    expect((await send(ana, remove, 'broken', one, key)).statusCode).toBe(500)
    for (let time = 0; time < 250; time++) await send(ana, remove, 'x', one, randomUUID())
    expect((await send(ana, remove, 'broken', one, key)).statusCode).toBe(500)
  })

  it('of visitors are noted for an address, a few hundred in an hour', async () => {
    const before = await rows()
    for (let time = 0; time < 320; time++)
      expect((await send('', register, 'x', one, randomUUID())).statusCode).toBe(200)
    expect((await rows()) - before).toBeLessThanOrEqual(300)
  })
})
