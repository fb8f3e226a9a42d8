import { Refused } from '@prosa/kernel/http/problem'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marina, testIdentity } from '../testing/test-identity.ts'
import { hashQueue } from './hash-queue.ts'

const stoppableWork = () => {
  const ends: (() => void)[] = []
  const begun: number[] = []
  let running = 0
  let max = 0
  const work = (name: number) => async () => {
    begun.push(name)
    max = Math.max(max, ++running)
    await new Promise<void>((resolve) => ends.push(resolve))
    running--
    return name
  }
  return { work, ends, begun, max: () => max }
}

const refusalOf = (error: unknown) => (error instanceof Refused ? [error.refusal, error.retryAfterSeconds] : error)

describe('password hashes', () => {
  it('run a few at a time, in the order in which they came', async () => {
    const { work, ends, begun, max } = stoppableWork()
    const queue = hashQueue({ atOnce: 2 })
    const all = Promise.all([0, 1, 2, 3, 4].map((name) => queue.run(work(name))))
    expect([queue.running(), queue.waiting()]).toEqual([2, 3])
    for (let ended = 0; ended < 5; ended++) (await until(() => ends[ended]))()
    expect(await all).toEqual([0, 1, 2, 3, 4])
    expect([begun, max(), queue.running(), queue.waiting()]).toEqual([[0, 1, 2, 3, 4], 2, 0, 0])
  })

  it('are refused at once where too many wait, and later where one waits too long; both replies carry the time to wait', async () => {
    const { work, ends, begun } = stoppableWork()
    const queue = hashQueue({ atOnce: 1, mayWait: 1, timeoutMs: 20 })
    const first = queue.run(work(0))
    const second = queue.run(work(1)).catch(refusalOf)
    expect(await queue.run(work(2)).catch(refusalOf)).toEqual(['passwords_busy', 5])
    expect(await second).toEqual(['passwords_busy', 5])
    ends[0]?.()
    await first
    const fourth = queue.run(work(3))
    ;(await until(() => ends[1]))()
    expect([await fourth, begun]).toEqual([3, [0, 3]])
  })

  it('leave their place when they fail', async () => {
    const queue = hashQueue({ atOnce: 1 })
    const failing = async () => {
      throw new Error('out of memory')
    }
    await expect(queue.run(failing)).rejects.toThrow('out of memory')
    expect(await queue.run(async () => 'done')).toBe('done')
  })
})

describe('a flood of sign-ins', () => {
  let prosa: Awaited<ReturnType<typeof testIdentity>>
  beforeAll(async () => {
    prosa = await testIdentity({ hashing: hashQueue({ atOnce: 1, mayWait: 2 }) })
    await prosa.register()
  })
  afterAll(() => prosa.stop())

  it('is answered as far as there is room, and the rest is asked to come again; /metrics shows who waits', async () => {
    const login = () => prosa.post('login', { email: marina.email, password: marina.password })
    const replies = await Promise.all(Array.from({ length: 12 }, login))
    const refused = replies.filter(({ status }) => status === 503)
    expect(replies.filter(({ status }) => status === 200).length + refused.length).toBe(12)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.raw.headers['retry-after']).toBe('5')
    expect(refused[0]?.body.title).toContain('tente de novo em alguns segundos')
    const metrics = await (await fetch(`${prosa.url()}/metrics`)).text()
    expect(metrics).toContain('prosa_password_hashes_waiting 0')
    expect(metrics).toContain(`prosa_refusals_total{refusal="passwords_busy"} ${refused.length}`)
    expect((await login()).status).toBe(200)
  })
})
