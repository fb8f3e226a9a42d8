import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { attempts } from '../http/limits/attempts.ts'
import { silentLog } from '../observability/log.ts'
import { capturedLog } from '../testing/captured-log.ts'
import { noRedis, type RedisServer, startRedis } from '../testing/redis-server.ts'
import { until } from '../testing/until.ts'
import { openRedis, type Redis } from './redis.ts'
import { sharedPace } from './shared-pace.ts'
import { sharedSlots } from './shared-slots.ts'
import { sharedWindows } from './shared-windows.ts'

const times = async <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe.skipIf(noRedis)(`what processes share over Redis${noRedis}`, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.kill())

  /** As in a process of its own. */
  const connected = async (log = silentLog()): Promise<Redis> => {
    const redis = await openRedis(server.url, log)
    onTestFinished(() => redis.close())
    return redis
  }
  const attemptsOf = (redis: Redis | undefined) =>
    attempts({ now: () => performance.now(), shared: sharedWindows(redis), fingerprint: (key) => key })

  describe('attempts', () => {
    it('are counted one by one, whichever process they reach', async () => {
      const [one, other] = [attemptsOf(await connected()), attemptsOf(await connected())]
      const key = randomUUID()
      const counts = await times(20, (index) => (index % 2 ? one : other).add(key, 60))
      expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(counts.map((_, index) => index + 1))
      await other.takeBack(key)
      const { count, secondsLeft } = await one.add(key, 60)
      expect(count).toBe(20)
      expect(secondsLeft).toBeLessThanOrEqual(60)
    })

    it('begin anew together, and what is taken back later begins no window', async () => {
      const redis = await connected()
      const [one, other] = [attemptsOf(redis), attemptsOf(await connected())]
      const key = randomUUID()
      await one.add(key, 1)
      await other.add(key, 1)
      await until(async () => (await redis.ask((client) => client.exists(`prosa:window:${key}`))) === 0)
      await one.takeBack(key)
      expect((await other.add(key, 1)).count).toBe(1)
    })

    it('that are counted in parts are known to the others after each part', async () => {
      const [one, other] = [attemptsOf(await connected()), attemptsOf(await connected())]
      const key = randomUUID()
      for (let index = 0; index < 95; index++) one.addInParts(key, 60, 10)
      // 10 are asked for at once; the rest follows with the next.
      await until(() => {
        one.addInParts(key, 60, 10)
        return other.addInParts(key, 60, 1).count >= 95
      })
    })
  })

  it('a pace holds over all processes, and says how long to wait', async () => {
    const pace = { burst: 3, interval: 60_000 }
    const paceOf = async () =>
      sharedPace({ redis: await connected(), now: () => performance.now(), scope: randomUUID(), maxKeys: 10 })
    const scope = randomUUID()
    const [one, other] = await times(2, async () =>
      sharedPace({ redis: await connected(), now: () => performance.now(), scope, maxKeys: 10 }),
    )
    if (!one || !other) throw new Error('two were asked for')
    const waits = await times(8, (index) => (index % 2 ? one : other).take('line', pace))
    expect(waits.filter((ms) => ms === 0)).toHaveLength(3)
    for (const ms of waits) expect(ms).toBeLessThanOrEqual(60_000)
    expect(one.wait('line', pace)).toBeGreaterThan(0)
    expect(await (await paceOf()).take('line', pace)).toBe(0)
  })

  describe('slots', () => {
    it('are as many as there are, over all processes, and free again when they are given back', async () => {
      const [one, other] = [sharedSlots(await connected()), sharedSlots(await connected())]
      const name = randomUUID()
      const all = [one.slots(name, 5), other.slots(name, 5)] as const
      const taken = (await times(20, (index) => all[index % 2 ? 0 : 1].take('session'))).filter(Boolean)
      expect(taken).toHaveLength(5)
      taken[0]?.()
      const again = await until(() => all[1].take('session'))
      expect(await all[0].take('session')).toBeUndefined()
      again?.()
      again?.()
      await until(() => all[0].take('session'))
      expect(await all[1].take('session')).toBeUndefined()
    })

    it('of a process that ended are free', async () => {
      const redis = await connected()
      const [one, other] = [sharedSlots(redis), sharedSlots(await connected())]
      const name = randomUUID()
      await one.slots(name, 1).take('session')
      expect(await other.slots(name, 1).take('session')).toBeUndefined()
      const stopping = new AbortController()
      const run = one.run(stopping.signal)
      stopping.abort()
      await run
      expect(await other.slots(name, 1).take('session')).toBeDefined()
    })

    it('are still taken after Redis came back and had lost everything', async () => {
      const [first, second] = [await connected(), await connected()]
      const name = randomUUID()
      const [one, other] = [sharedSlots(first).slots(name, 2), sharedSlots(second).slots(name, 2)]
      await one.take('session')
      await one.take('session')
      await server.kill()
      await until(() => first.isAway() && second.isAway())
      const release = await other.take('session')
      expect(release, 'the process’s own share').toBeDefined()
      release?.()
      await server.start()
      await until(() => !first.isAway() && !second.isAway())
      await until(async () => {
        const taken = await other.take('session')
        taken?.()
        return !taken
      })
    })
  })

  it.each([
    ['killed', () => server.kill(), () => server.start()],
    ['frozen', async () => server.freeze(), async () => server.thaw()],
  ])('goes on with the process’s own share while Redis is %s, says so once, and counts on', async (_, away, back) => {
    const log = capturedLog()
    const redis = await connected(log.log)
    const [one, other] = [attemptsOf(redis), attemptsOf(await connected())]
    const key = randomUUID()
    for (let count = 1; count <= 3; count++) expect((await one.add(key, 60)).count).toBe(count)
    await away()
    const began = performance.now()
    const counts = await times(50, () => one.add(key, 60))
    expect(Math.max(...counts.map(({ count }) => count))).toBe(53)
    expect(redis.isAway()).toBe(true)
    expect(performance.now() - began).toBeLessThan(5000)
    expect((await one.add(key, 60)).count).toBe(54)
    const complaints = () => log.lines().filter(({ msg }) => String(msg).includes('Redis is away'))
    expect(complaints()).toHaveLength(1)
    await back()
    await until(() => !redis.isAway())
    expect((await one.add(key, 60)).count).toBeGreaterThanOrEqual(55)
    const shared = randomUUID()
    await until(async () => (await other.add(shared, 60)).count > 0 && (await one.add(shared, 60)).count > 1)
    expect(complaints()).toHaveLength(1)
  })

  it('a process starts without it', async () => {
    const log = capturedLog()
    const redis = await openRedis('redis://127.0.0.1:1', log.log)
    onTestFinished(() => redis.close())
    expect(redis.isAway()).toBe(true)
    expect(await redis.ask((client) => client.ping())).toBeUndefined()
    expect((await attemptsOf(redis).add('key', 60)).count).toBe(1)
  })
})
