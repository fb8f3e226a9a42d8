import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { someMessage } from '../testing/message-routes.ts'
import { historyRows } from './history-rows.ts'
import { useHistoryScroll } from './use-history-scroll.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const messages = [someMessage({ id: 'm', contactId: 'rafaela' })]
const rows = historyRows(messages, {
  now: new Date('2026-11-21T12:00:00.000Z'),
  firstUnreadId: null,
  hasSeveralNumbers: false,
  reachesFirst: true,
})
const nothing = () => undefined

it('lets a message stand out for as long again when somebody goes there again', () => {
  const { result, rerender } = renderHook(
    ({ number }) =>
      useHistoryScroll({
        messages,
        rows,
        onlyHere: new Set(),
        reachesLatest: true,
        target: { messageId: 'm', number },
        onMissed: nothing,
        onNearTop: nothing,
        onNearBottom: nothing,
        onView: nothing,
      }),
    { initialProps: { number: 1 } },
  )
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
  expect(result.current.highlightedId).toBe('m')
  pass(2_300)
  rerender({ number: 2 })
  pass(2_300)
  expect(result.current.highlightedId).toBe('m')
  pass(200)
  expect(result.current.highlightedId).toBeUndefined()
})
