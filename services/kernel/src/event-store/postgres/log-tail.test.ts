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

const rowOf = (numericPosition: number, stream: string): EventRow => [
  String(numericPosition),
  stream,
  '0',
  'id',
  'Type',
  '{}',
  '{}',
]

it('wakes at once whom an event concerns, and everybody else a moment later, once for all that came', async () => {
  const tail = logTail({ readHead: async () => 0, readTail: async () => [] }, signal, () => undefined)
  await tail.follow(signal)
  const woken: string[] = []
  const watch = async (category: string, numericPosition: number) => {
    await tail.passed(numericPosition, new Set([category]), signal)
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

it('holds once what is committed here while it is being read, and still all of it', async () => {
  let answer: (rows: EventRow[]) => void = () => undefined
  const reading = new Promise<EventRow[]>((resolve) => {
    answer = resolve
  })
  const questions: number[] = []
  const readTail = async (after: number) => {
    questions.push(after)
    return questions.length === 1 ? reading : []
  }
  const tail = logTail({ readHead: async () => 0, readTail }, signal, () => undefined)
  await tail.follow(signal)
  const rows = [1, 2, 3].map((numericPosition) => rowOf(numericPosition, `chat-${numericPosition}`))
  tail.committed(rows)
  answer(rows.slice(0, 2))
  await vi.advanceTimersByTimeAsync(1000)
  expect(questions).toEqual([0, 3])
  expect([tail.head(), tail.after(0)]).toEqual([3, rows])
  expect(tail.isUnchanged('chat-1', 0)).toBe(false)
})
