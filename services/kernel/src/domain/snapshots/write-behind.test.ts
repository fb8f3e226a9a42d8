import { describe, expect, it, vi } from 'vitest'
import { writeBehind } from './write-behind.ts'

const writer = (over: Partial<Parameters<typeof writeBehind>[0]> = {}) => {
  const failed: unknown[] = []
  const onFailure = (error: unknown) => void failed.push(error)
  return { failed, ...writeBehind({ maxWaiting: 2, drainMs: 3000, onFailure, ...over }) }
}

describe('work that is written behind', () => {
  it('is done one after the other, the latest of each name', async () => {
    const { offer, drain } = writer()
    const done: string[] = []
    let under = 0
    const work = (name: string) => async () => {
      expect(++under).toBe(1)
      await Promise.resolve()
      under -= 1
      done.push(name)
    }
    expect(offer('a', work('a1'))).toBe(true)
    expect(offer('b', work('b1'))).toBe(true)
    expect(offer('a', work('a2'))).toBe(true)
    expect(offer('a', work('a3'))).toBe(true)
    expect(offer('c', work('c1'))).toBe(false)
    await drain()
    expect(done).toEqual(['a1', 'b1', 'a3'])
  })

  it('goes on after work that failed, which is reported', async () => {
    const { offer, drain, failed } = writer()
    const done: string[] = []
    offer('a', () => Promise.reject(new Error('broken')))
    offer('b', async () => void done.push('b'))
    await drain()
    offer('c', async () => void done.push('c'))
    await drain()
    expect([done, failed]).toEqual([['b', 'c'], [new Error('broken')]])
  })

  it('is offered at the end by whoever has some, more than may wait otherwise, and done before the process ends', async () => {
    const { offer, drain, beforeEnd, waiting } = writer()
    const done: number[] = []
    beforeEnd(() => {
      for (let index = 0; index < 50; index++) expect(offer(`${index}`, async () => void done.push(index))).toBe(true)
    })
    expect(waiting()).toBe(0)
    await drain()
    expect(done).toHaveLength(50)
    expect(waiting()).toBe(0)
    offer('under way', () => Promise.resolve())
    expect([offer('a', async () => undefined), offer('b', async () => undefined)]).toEqual([true, true])
    expect(offer('c', async () => undefined)).toBe(false)
  })

  it('does not keep a process from ending when it never ends itself', async () => {
    vi.useFakeTimers()
    try {
      const { offer, drain, waiting } = writer()
      let isStarted = false
      offer('never', () => new Promise(() => undefined))
      offer('next', async () => {
        isStarted = true
      })
      const drained = drain()
      await vi.advanceTimersByTimeAsync(2999)
      expect(waiting()).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      await drained
      expect([waiting(), isStarted]).toEqual([0, false])
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves no timer behind', async () => {
    vi.useFakeTimers()
    try {
      const { offer, drain } = writer()
      offer('a', async () => undefined)
      await drain()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
