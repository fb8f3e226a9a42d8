import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fewLines } from './few-lines.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('writes an outage at once, and then every ten seconds how often it was reported', () => {
  const lines: [string, number][] = []
  const report = fewLines<string>((reason, times) => lines.push([reason, times]))
  for (let second = 0; second < 50; second++) {
    for (let retry = 0; retry < 120; retry++) report('refused')
    vi.advanceTimersByTime(1000)
  }
  expect(lines).toEqual([['refused', 1], ...Array.from({ length: 4 }, () => ['refused', 1200])])
})

it('writes at once what comes after a quiet time', () => {
  const lines: [string, number][] = []
  const report = fewLines<string>((reason, times) => lines.push([reason, times]))
  report('one')
  vi.advanceTimersByTime(10_000)
  report('two')
  expect(lines).toEqual([
    ['one', 1],
    ['two', 1],
  ])
})
