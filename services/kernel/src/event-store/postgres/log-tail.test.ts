import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { logTail } from './log-tail.ts'
import type { EventRow } from './queries.ts'

const ending = new AbortController()
const { signal } = ending

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const rowOf = (place: number, stream: string): EventRow => [String(place), stream, '0', 'id', 'Type', '{}', '{}']

it('wakes at once whom an event concerns, and everybody else a moment later, once for all that came', async () => {
  const tail = logTail({ readHead: async () => 0, readTail: async () => [] }, signal, () => undefined)
  await tail.follow(signal)
  const woken: string[] = []
  const watch = async (category: string, place: number) => {
    await tail.passed(place, new Set([category]), signal)
    woken.push(`${category} at ${tail.head()}`)
  }
  const [first, others] = [watch('chat', 0), watch('contact', 0)]
  tail.committed([rowOf(1, 'chat-1')])
  await first
  expect(woken).toEqual(['chat at 1'])
  const second = watch('chat', 1)
  tail.committed([rowOf(2, 'chat-1')])
  await second
  expect(woken).toEqual(['chat at 1', 'chat at 2'])
  await vi.runOnlyPendingTimersAsync()
  await others
  expect(woken).toEqual(['chat at 1', 'chat at 2', 'contact at 2'])
})
