import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { forgetReplies, repetition, request } from './http.ts'
import { noteServerReach, pauseUntilServerBack } from './server-reach.ts'

withProsaServer()
beforeEach(forgetReplies)

/** Microtasks and network events of a request that runs under a fake clock. */
const settle = async () => {
  for (let times = 0; times < 20; times++) await new Promise((resolve) => setImmediate(resolve))
}

describe('repeats', () => {
  const before = [...repetition.pausesMs]
  const pauses = (...pausesMs: number[]) => void Object.assign(repetition, { pausesMs })
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    pauses(...before)
    noteServerReach(true)
  })

  const answering = (...answers: (() => Response)[]) => {
    const counted = { asked: 0 }
    prosaServer.use(
      http.all('/api/x', () => {
        const answer = answers[Math.min(counted.asked, answers.length - 1)]
        counted.asked += 1
        return answer?.()
      }),
    )
    return counted
  }
  const busy = (seconds: string) => () => HttpResponse.json({}, { status: 503, headers: { 'retry-after': seconds } })
  const fine = () => HttpResponse.json({ id: '1' })
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    await settle()
  }
  const asking = (method = 'GET', signal?: AbortSignal) => {
    const outcome: { value?: unknown; error?: unknown } = {}
    void request(method, '/api/x', undefined, signal).then(
      (value) => void Object.assign(outcome, { value }),
      (error: unknown) => void Object.assign(outcome, { error }),
    )
    return outcome
  }

  it.each([
    [0, 1000],
    [0.5, 1250],
    [0.999, 1499],
  ])('wait up to half longer, at random (%d), so that not all browsers come at once', async (random, ms) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    pauses(1000)
    const counted = answering(() => refuse('unavailable'), fine)
    const outcome = asking()
    await settle()
    await pass(ms - 1)
    expect(counted.asked).toBe(1)
    await pass(2)
    expect([counted.asked, outcome.value]).toEqual([2, { id: '1' }])
  })

  it.each(['GET', 'POST'])('come no earlier than a server that is busy wants: %s', async (method) => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    pauses(100, 100)
    const counted = answering(busy('7'), fine)
    const outcome = asking(method)
    await settle()
    noteServerReach(false)
    noteServerReach(true)
    await pass(6999)
    expect(counted.asked).toBe(1)
    await pass(101)
    expect([counted.asked, outcome.value]).toEqual([2, { id: '1' }])
  })

  it('end at once where the server wants a longer pause than the minute, or names none that can be read', async () => {
    pauses(100, 100)
    const long = answering(busy('61'), fine)
    const refused = asking()
    await settle()
    expect([long.asked, refused.error]).toMatchObject([1, { status: 503 }])
    const odd = answering(busy('Fri, 27 Nov 2026 03:00:00 GMT'), busy('-5'), fine)
    const outcome = asking()
    await settle()
    await pass(150)
    await pass(150)
    expect([odd.asked, outcome.value]).toEqual([3, { id: '1' }])
  })

  it('start none after the minute, though the attempts or a sleeping browser took it', async () => {
    pauses(1000, 1000, 1000)
    const counted = answering(() => refuse('unavailable'))
    const outcome = asking()
    await settle()
    // The timer fires late, as in a tab in the background.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001)
    await pass(1500)
    expect([counted.asked, outcome.error]).toMatchObject([1, { status: 503 }])
  })

  it('start the last one within the minute, however often the server hangs for 20 s', async () => {
    pauses(...Array<number>(9).fill(0))
    const startedMs: number[] = []
    const began = performance.now()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const over = new AbortController()
      setTimeout(() => over.abort(new DOMException('too late', 'TimeoutError')), ms)
      return over.signal
    })
    onTestFinished(() => timeout.mockRestore())
    prosaServer.use(
      http.get('/api/x', () => {
        startedMs.push(performance.now() - began)
        return new Promise<never>(() => undefined)
      }),
    )
    const outcome = asking()
    for (let second = 0; second < 200 && !outcome.error; second++) {
      await settle()
      await pass(1000)
    }
    expect(outcome.error).toMatchObject({ type: 'offline' })
    expect(startedMs.length).toBeGreaterThan(2)
    expect(Math.max(...startedMs)).toBeLessThanOrEqual(60_000)
  })

  it.each(['while it pauses', 'while it waits as the server wants'])(
    'end when the screen is left: %s',
    async (when) => {
      pauses(1000, 1000)
      const counted = answering(when === 'while it pauses' ? () => refuse('unavailable') : busy('5'))
      const screen = new AbortController()
      const outcome = asking('GET', screen.signal)
      await settle()
      screen.abort()
      await settle()
      expect(outcome.error).toBe(screen.signal.reason)
      await pass(20_000)
      expect(counted.asked).toBe(1)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('a read under way ends with its screen, and is no lost connection', async () => {
    pauses()
    let asked = 0
    prosaServer.use(
      http.get('/api/x', () => {
        asked += 1
        return new Promise<never>(() => undefined)
      }),
    )
    const screen = new AbortController()
    const outcome = asking('GET', screen.signal)
    await settle()
    screen.abort()
    await settle()
    await pass(2000)
    expect([asked, outcome.error]).toEqual([1, screen.signal.reason])
  })

  it('pause not at all after the screen was left', async () => {
    await expect(pauseUntilServerBack(1000, AbortSignal.abort('left'))).rejects.toBe('left')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('of a screen that was left before send nothing', async () => {
    const counted = answering(fine)
    const outcome = asking('GET', AbortSignal.abort())
    await settle()
    expect([counted.asked, outcome.error]).toMatchObject([0, { name: 'AbortError' }])
  })
})
