import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { userSubject } from '@prosa/contracts/events/subjects'
import { silentLog } from '@prosa/kernel/observability/log'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { noRedis, startRedis } from '@prosa/kernel/testing/redis-server'
import { until } from '@prosa/kernel/testing/until'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { describe, expect, it, onTestFinished } from 'vitest'

const program = join(import.meta.dirname, 'key-cache-process.ts')
const erased = userSubject('ana')
const other = userSubject('bia')

/** A process that has the subject's key in its cache. */
const startCache = async (args: string[]) => {
  const child = fork(await builtProgram(program), args, { execArgv: [], env: { PATH: process.env.PATH } })
  let isDropped = false
  const cached = new Promise<{ ids: string[]; isCached: boolean }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('ended before it had the key')))
    child.on('message', (message) => {
      if (message === 'dropped') isDropped = true
      else resolve(message as { ids: string[]; isCached: boolean })
    })
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  return { ...(await cached), isDropped: () => isDropped }
}

describe('the key of an erased person', () => {
  it.each([
    ['without Redis', false],
    ['with Redis', true],
  ])(
    `leaves the caches of every process within two seconds, %s`,
    async (_, hasRedis) => {
      if (hasRedis && noRedis) return
      const redis = hasRedis ? await startRedis() : undefined
      if (redis) onTestFinished(redis.kill)
      const database = await testPostgres()
      onTestFinished(database.drop)
      const secret = randomBytes(32)
      const settings = { databaseUrl: database.url, masterSecret: secret, log: silentLog(), readSide, services: [] }
      const ports = await openPorts({ ...settings, ...(redis && { redisUrl: redis.url }) })
      onTestFinished(async () => {
        await ports.store.close()
        await ports.close()
      })
      const keys = await ports.subjectKeys.toEncrypt([erased, other])
      const start = (subject: string) =>
        startCache([database.url, secret.toString('hex'), subject, ...(redis ? [redis.url] : [])])
      const caches = await Promise.all([start(erased), start(erased)])
      for (const { ids, isCached } of caches) expect([ids, isCached]).toEqual([[keys.get(erased)?.id], true])
      const witness = await start(other)
      expect(witness.isCached).toBe(true)

      await ports.subjectKeys.erase([erased])
      await until(() => caches.every(({ isDropped }) => isDropped()), 2000)
      expect((await ports.subjectKeys.current([other])).size).toBe(1)
    },
    60_000,
  )
})
