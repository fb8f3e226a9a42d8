import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readAgain, readingEveryMs } from './merged-readings.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const observed = (queryFn: () => Promise<number>) => {
  const client = new QueryClient()
  const stop = new QueryObserver(client, { queryKey: ['x'], queryFn, retry: false }).subscribe(() => undefined)
  return { client, stop }
}

it('reads at once after a rest, and merges a flood into one reading in a while, the last included', async () => {
  let state = 0
  const read: number[] = []
  const { client, stop } = observed(async () => {
    read.push(state)
    return state
  })
  await vi.advanceTimersByTimeAsync(0)
  for (let index = 1; index <= 50; index++) {
    state = index
    readAgain(client, ['x'])
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(5 * readingEveryMs)
  expect(read[0]).toBe(0)
  expect(read[1]).toBe(1)
  expect(read.at(-1)).toBe(50)
  expect(read.length).toBeLessThanOrEqual(2 + Math.ceil(5000 / readingEveryMs))
  stop()
})

it('never has two readings of one key under way, and goes on after one that failed', async () => {
  let underWay = 0
  let max = 0
  let fails = true
  const { client, stop } = observed(async () => {
    underWay++
    max = Math.max(max, underWay)
    await new Promise((resolve) => setTimeout(resolve, 2 * readingEveryMs))
    underWay--
    if (fails) throw new Error('refused')
    return 1
  })
  await vi.advanceTimersByTimeAsync(3 * readingEveryMs)
  readAgain(client, ['x'])
  await vi.advanceTimersByTimeAsync(10)
  readAgain(client, ['x'])
  fails = false
  await vi.advanceTimersByTimeAsync(10 * readingEveryMs)
  expect(max).toBe(1)
  expect(client.getQueryData(['x'])).toBe(1)
  stop()
})
