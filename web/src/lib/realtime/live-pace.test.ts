import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { distrustPushes, notePushes, pollingPace } from './live-pace.ts'

/** Begins long after any distrust of earlier tests. */
let beginMs = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  beginMs += 600_000
  vi.advanceTimersByTime(beginMs)
  notePushes(false)
})

afterEach(() => {
  notePushes(false)
  vi.useRealTimers()
})

describe('polling', () => {
  it('keeps to the specification while no pushes arrive, and is slower while they do', () => {
    expect(pollingPace(3000)).toBe(3000)
    notePushes(true)
    expect(pollingPace(3000)).toBeGreaterThan(3000)
    notePushes(false)
    expect(pollingPace(3000)).toBe(3000)
  })

  it('keeps to the specification for a while after an update that no push announced', () => {
    notePushes(true)
    distrustPushes()
    expect(pollingPace(3000)).toBe(3000)
    vi.advanceTimersByTime(61_000)
    expect(pollingPace(3000)).toBeGreaterThan(3000)
  })
})
