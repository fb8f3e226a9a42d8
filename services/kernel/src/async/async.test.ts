import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import { keyedQueue, serialQueue } from './keyed-queue.ts'
import { repeat, retry } from './retry.ts'

const failing = (times: number) => {
  let calls = 0
  return async () => {
    calls++
    if (calls <= times) throw new Error(`failure ${calls}`)
    return calls
  }
}

describe('a backoff', () => {
  const backoff = { firstMs: 100, maxMs: 1000 }

  it('doubles with each failure, up to the longest, however many there were', () => {
    const pauses = [0, 1, 2, 3, 4, 5000].map((failures) => backoffMs(failures, backoff, 1))
    expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000])
  })

  it('leaves half of the pause to chance, or as much as it is given', () => {
    expect(backoffMs(1, backoff, 0)).toBe(100)
    expect(backoffMs(1, backoff, 0.5)).toBe(150)
    expect(backoffMs(1, { ...backoff, spread: 0 }, 0)).toBe(200)
  })
})

describe('the backoff of lines', () => {
  const backoff = { firstMs: 1000, maxMs: 60_000 }

  it('waits longer and longer up to a limit, and never gives up', () => {
    const waits = [0, 1, 2, 3, 10, 100, 100_000].map((failures) => backoffMs(failures, backoff, 0.999999))
    expect(waits.map(Math.round)).toEqual([1000, 2000, 4000, 8000, 60_000, 60_000, 60_000])
  })

  it('spreads the waits over half of their length', () => {
    expect(backoffMs(2, backoff, 0)).toBe(2000)
    expect(backoffMs(2, backoff, 0.5)).toBe(3000)
  })
})

describe('a retry', () => {
  it('repeats work until it succeeds, and reports each failure', async () => {
    const failures: unknown[] = []
    const { signal } = new AbortController()
    const done = await retry(failing(2), { signal, pauseAfter: () => 0, onFailure: (_, count) => failures.push(count) })
    expect(done).toBe(3)
    expect(failures).toEqual([0, 1])
  })

  it('gives up with the error where no pause is left', async () => {
    const { signal } = new AbortController()
    const pauses = [0, 0]
    const tried = retry(failing(9), { signal, pauseAfter: (failures) => pauses[failures] })
    await expect(tried).rejects.toThrow('failure 3')
  })

  it('ends without an outcome when the signal aborts, also in the middle of a pause', async () => {
    const stop = new AbortController()
    const tried = retry(failing(9), { signal: stop.signal, pauseAfter: () => 60_000, onFailure: () => stop.abort() })
    expect(await tried).toBeUndefined()
    expect(await retry(failing(0), { signal: stop.signal, pauseAfter: () => 0 })).toBeUndefined()
  })
})

it('a retry reports nothing of what fails after the abort, and does not fail by it', async () => {
  const stop = new AbortController()
  const failures: unknown[] = []
  const work = async () => {
    stop.abort()
    throw new Error('interrupted')
  }
  const options = {
    signal: stop.signal,
    pauseAfter: () => undefined,
    onFailure: (error: unknown) => failures.push(error),
  }
  expect(await retry(work, options)).toBeUndefined()
  expect(failures).toEqual([])
})

it('repeated work counts failures in a row: a success begins anew', async () => {
  const stop = new AbortController()
  const outcomes = [false, false, true, false]
  const counts: number[] = []
  const work = async () => {
    const succeeds = outcomes.shift()
    if (outcomes.length === 0) stop.abort()
    if (!succeeds) throw new Error('fails')
  }
  const pauseAfter = (failures: number) => {
    counts.push(failures)
    return 0
  }
  await repeat(work, { signal: stop.signal, pauseAfter, onFailure: () => undefined })
  expect(counts).toEqual([1, 2, 0, 1])
})

it('repeated work goes on after a failure, until the signal aborts', async () => {
  const stop = new AbortController()
  let runs = 0
  let failures = 0
  const work = async () => {
    runs++
    if (runs === 3) stop.abort()
    throw new Error('fails')
  }
  await repeat(work, { signal: stop.signal, pauseAfter: () => 0, onFailure: () => failures++ })
  expect([runs, failures]).toEqual([3, 3])
})

describe('a keyed queue', () => {
  it('does the work of one key in order, also after a failure, and lets other keys pass', async () => {
    const queue = keyedQueue()
    const done: string[] = []
    let release: () => void = () => undefined
    const paused = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = queue.run('a', async () => {
      await paused
      done.push('a1')
      throw new Error('fails')
    })
    const second = queue.run('a', async () => done.push('a2'))
    await queue.run('b', async () => done.push('b1'))
    expect(queue.length('a')).toBe(2)
    release()
    await expect(first).rejects.toThrow('fails')
    await second
    await queue.idle()
    expect(done).toEqual(['b1', 'a1', 'a2'])
    expect([queue.length('a'), queue.length('b')]).toEqual([0, 0])
  })

  it('with a single key does everything one after the other', async () => {
    const serially = serialQueue()
    const done: number[] = []
    await Promise.all([1, 2, 3].map((number) => serially(async () => done.push(number))))
    expect(done).toEqual([1, 2, 3])
  })
})

describe('a limit of what is under way', () => {
  it('lets so much go on at a time, the rest in the order of its coming, and hands on what each comes to', async () => {
    const limit = concurrencyLimit({ atOnce: 3 })
    const begun: number[] = []
    let underWay = 0
    let max = 0
    const work = (index: number) => async () => {
      begun.push(index)
      max = Math.max(max, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, index % 4))
      underWay--
      if (index % 5 === 0) throw new Error(`no ${index}`)
      return index
    }
    const order = Array.from({ length: 40 }, (_, index) => index)
    const ends = await Promise.allSettled(order.map((index) => limit.run(work(index))))
    expect(max).toBe(3)
    expect(begun).toEqual(order)
    expect(ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []))).toEqual(order.filter((i) => i % 5))
    await expect(Promise.all([1, 2, 3].map((index) => limit.run(work(index))))).resolves.toEqual([1, 2, 3])
  })

  const pending = () => {
    const ends: (() => void)[] = []
    return { ends, work: () => new Promise<void>((resolve) => ends.push(resolve)) }
  }
  const refusal = () => new Error('full')

  it('serves keys in turn, each with no more at once than one key may have', async () => {
    const limit = concurrencyLimit({ atOnce: 2, atOncePerKey: 1 })
    const begun: string[] = []
    const work = (key: string) => async () => {
      begun.push(key)
      await new Promise(setImmediate)
    }
    await Promise.all(['a', 'a', 'a', 'b', 'c'].map((key) => limit.run(work(key), { key })))
    expect(begun).toEqual(['a', 'b', 'a', 'c', 'a'])
  })

  it('drops the last work of the key that has most in a full queue, for a key that has nothing there', async () => {
    const { ends, work } = pending()
    const limit = concurrencyLimit({ atOnce: 1, waiting: { max: 2, ms: 60_000, refusal } })
    const runs = ['a', 'a', 'a', 'b'].map((key) => limit.run(work, { key }).catch((error) => String(error)))
    expect(await runs[2]).toBe('Error: full')
    await expect(limit.run(work, { key: 'a' })).rejects.toThrow('full')
    expect([limit.running(), limit.waiting(), limit.waitingOf('a'), limit.waitingOf('b')]).toEqual([1, 2, 1, 1])
    for (let ended = 0; ended < 3; ended++) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    await Promise.all(runs)
    expect(limit.running()).toBe(0)
  })

  it('refuses what waits too long, and hands its place to who comes after', async () => {
    const { ends, work } = pending()
    const limit = concurrencyLimit({ atOnce: 1, waiting: { max: 1, ms: 1, refusal } })
    const running = limit.run(work)
    await expect(limit.run(work)).rejects.toThrow('full')
    expect([limit.running(), limit.waiting()]).toEqual([1, 0])
    ends[0]?.()
    await running
  })

  it('forgets what is aborted while it waits, and begins nothing that was aborted before', async () => {
    const { ends, work } = pending()
    const limit = concurrencyLimit({ atOnce: 1 })
    const leaving = new AbortController()
    const running = limit.run(work)
    const waiting = limit.run(work, { signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(limit.run(work, { signal: leaving.signal })).rejects.toThrow('gone')
    expect([limit.running(), limit.waiting()]).toEqual([1, 0])
    ends[0]?.()
    await running
  })
})
