import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { tcpProxy } from '../testing/tcp-proxy.ts'
import { until } from '../testing/until.ts'
import { exclusively } from './exclusively.ts'
import { testPostgres } from './testing.ts'

const silenceMilliseconds = 1000

/** Somebody who wants the lock until the test ends. */
const contender = (url: string) => {
  const stopping = new AbortController()
  const troubles: unknown[] = []
  const current: { isMine?: () => boolean; lock?: AbortSignal } = {}
  let reigns = 0
  const running = exclusively(
    url,
    'throne',
    stopping.signal,
    async (lock, isMine) => {
      reigns++
      Object.assign(current, { isMine, lock })
      if (!lock.aborted) await once(lock, 'abort')
    },
    { onTrouble: (error) => troubles.push(error), silenceMilliseconds },
  )
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  return { reigns: () => reigns, troubles, current }
}

it('a holder that is cut off half open loses the lock, hears of it, and somebody else gets it', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const proxy = await tcpProxy(Number(new URL(url).port))
  onTestFinished(proxy.close)
  const holder = contender(Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href)
  await until(() => holder.reigns() === 1)
  const { lock, isMine } = holder.current
  const next = contender(url)
  proxy.freeze()
  await until(() => next.reigns() === 1)
  await until(() => lock?.aborted)
  expect(isMine?.()).toBe(false)
  await until(() => holder.troubles.length > 0)
})

it('a process that stood still knows by its own clock that the lock is lost, before it hears of anything', async () => {
  const { url, drop } = await testPostgres()
  onTestFinished(drop)
  const holder = contender(url)
  await until(() => holder.reigns() === 1)
  const { lock, isMine } = holder.current
  // Nothing else has a turn in this process meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, silenceMilliseconds)
  expect(lock?.aborted).toBe(false)
  expect(isMine?.()).toBe(false)
  expect(lock?.aborted).toBe(true)
  await until(() => holder.reigns() === 2)
})
