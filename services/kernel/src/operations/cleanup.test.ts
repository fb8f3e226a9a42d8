import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { effectOnce } from '../consumers/engine/effect-once.ts'
import { host } from '../host.ts'
import { browserSessions } from '../http/sign-in/browser-sessions.ts'
import { transaction } from '../postgres/pool.ts'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { until } from '../testing/until.ts'
import { cleanUp } from './operations.ts'
import { lockCleanup } from './queries.ts'

let ports: TestPorts
beforeEach(async () => {
  ports = await testPorts()
})
afterEach(() => ports.close())

const age = (table: string, column: string, days: number, where: string, value: string) =>
  ports.pool.query(`update ${table} set ${column} = now() - make_interval(days => $1) where ${where} = $2`, [
    days,
    value,
  ])
const idsIn = async (table: string, column: string): Promise<string[]> =>
  (await ports.pool.query(`select ${column} as id from ${table} order by 1`)).rows.map(({ id }) => id)

it('effects that were made long ago are forgotten, and never a claim whose fate is unknown', async () => {
  const once = effectOnce(ports.pool)
  const made = async () => undefined
  const lost = async () => {
    throw new Error('lost')
  }
  for (const id of ['old', 'young']) await once(id, made)
  await expect(once('unknown', lost)).rejects.toThrow()
  await age('effect_once', 'made_at', 91, 'id', 'old')
  await age('effect_once', 'made_at', 89, 'id', 'young')
  await age('effect_once', 'claimed_at', 400, 'id', 'unknown')
  expect(await cleanUp(ports.pool)).toMatchObject({ 'effects made': 1 })
  expect(await idsIn('effect_once', 'id')).toEqual(['unknown', 'young'])
})

it('secrets go when they have expired, and those without an end stay', async () => {
  const { secrets } = ports
  await secrets.put('reset', 'over', 'token', new Date(Date.now() - 1000).toISOString())
  await secrets.put('reset', 'good', 'token', new Date(Date.now() + 60_000).toISOString())
  await secrets.put('password', 'for ever', 'hash')
  expect(await cleanUp(ports.pool)).toMatchObject({ 'secrets expired': 1 })
  expect(await idsIn('secret', 'id')).toEqual(['for ever', 'good'])
})

it('browser sessions go when they are over, idle or old, and their listeners are notified', async () => {
  const stop = new AbortController()
  const sessions = browserSessions(ports.pool, { url: ports.databaseUrl, signal: stop.signal })
  const ended: string[] = []
  sessions.onRevoked((id) => ended.push(id))
  const [idle, old, good] = [randomUUID(), randomUUID(), randomUUID()]
  const issued = new Map<string, { token: string; sessionId: string }>()
  for (const user of [idle, old, good]) issued.set(user, await sessions.issue(user))
  // A cached session shows that revocations are received.
  await until(async () => {
    await sessions.resolve(issued.get(good)?.token ?? '')
    return sessions.cached(issued.get(good)?.token ?? '')
  })
  await age('browser_session', 'seen_at', 8, 'user_id', idle)
  await age('browser_session', 'created_at', 31, 'user_id', old)
  await age('browser_session', 'created_at', 29, 'user_id', good)
  expect(await cleanUp(ports.pool)).toMatchObject({ 'browser sessions over': 2 })
  expect(await idsIn('browser_session', 'user_id')).toEqual([good])
  await until(() => ended.length === 2)
  expect(ended.sort()).toEqual([issued.get(idle)?.sessionId, issued.get(old)?.sessionId].sort())
  stop.abort()
})

it('goes on in small batches until nothing is left, and leaves it to another process that is at it', async () => {
  for (let index = 0; index < 7; index++)
    await ports.secrets.put('reset', String(index), 'token', new Date(Date.now() - 1000).toISOString())
  await transaction(ports.pool, async (db) => {
    expect(await lockCleanup(db)).toBe(true)
    expect(await cleanUp(ports.pool)).toBeUndefined()
  })
  expect(await cleanUp(ports.pool, 3)).toMatchObject({ 'secrets expired': 7 })
})

it('is done by every host, and ends with it', async () => {
  await ports.secrets.put('reset', 'over', 'token', new Date(Date.now() - 1000).toISOString())
  const started = await host([], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
  await until(async () => (await idsIn('secret', 'id')).length === 0)
  await started.stop()
})
