import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../app/query-client.ts'
import { notePushes, pollingPace } from '../../lib/realtime/live-pace.ts'
import { keys } from './api.ts'
import { useMissedPushes } from './use-missed-pushes.ts'

const someMs = 3000

/** Begins long after the distrust of the test before. */
let beginMs = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  beginMs += 600_000
  vi.advanceTimersByTime(beginMs)
  notePushes(true)
})

afterEach(() => {
  notePushes(false)
  vi.useRealTimers()
})

const watch = () => {
  const client = createQueryClient()
  const lastPushMs = { current: Number.NEGATIVE_INFINITY }
  renderHook(() => useMissedPushes(lastPushMs), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const reads = (...ids: string[]) =>
    client.fetchQuery({
      queryKey: keys.list('waiting', ''),
      queryFn: async () => ({ pages: [{ items: ids.map((id) => ({ id })), next: null }], pageParams: [null] }),
      staleTime: 0,
    })
  return { reads, lastPushMs }
}

const isFast = () => pollingPace(someMs) === someMs

describe('an update that no push announced', () => {
  it('make polling fast again', async () => {
    const { reads } = watch()
    await reads('a')
    await reads('b', 'a')
    expect(isFast()).toBe(false)
    vi.advanceTimersByTime(3000)
    expect(isFast()).toBe(true)
  })

  it('are none when a push follows, or came just before', async () => {
    const { reads, lastPushMs } = watch()
    await reads('a')
    await reads('b', 'a')
    vi.advanceTimersByTime(2900)
    lastPushMs.current = performance.now()
    vi.advanceTimersByTime(1000)
    await reads('c', 'b', 'a')
    vi.advanceTimersByTime(3000)
    expect(isFast()).toBe(false)
  })

  it('are none when the list is what it was', async () => {
    const { reads } = watch()
    await reads('a')
    await reads('a')
    vi.advanceTimersByTime(3000)
    expect(isFast()).toBe(false)
  })
})
