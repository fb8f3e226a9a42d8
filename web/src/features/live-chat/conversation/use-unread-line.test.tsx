import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useUnreadLine } from './use-unread-line.ts'

const opened = (firstUnreadId: string | null, isWatched: boolean) =>
  renderHook(({ first, watched }) => useUnreadLine(first, watched), {
    initialProps: { first: firstUnreadId, watched: isWatched },
  })

it('stands above what was unread when the conversation was opened, also once it was seen', () => {
  const { result, rerender } = opened('one', false)
  rerender({ first: 'one', watched: true })
  rerender({ first: null, watched: true })
  expect(result.current.lineId).toBe('one')
})

it('stands above what only a fresh reading of the contact shows', () => {
  const { result, rerender } = opened(null, false)
  rerender({ first: 'two', watched: true })
  expect(result.current.lineId).toBe('two')
})

it('is not moved by what comes before somebody’s eyes', () => {
  const { result, rerender } = opened('one', false)
  rerender({ first: null, watched: true })
  rerender({ first: 'two', watched: true })
  expect(result.current.lineId).toBe('one')
})

it('moves to what came while nobody looked, or while the end was out of view', () => {
  const { result, rerender } = opened('one', false)
  rerender({ first: null, watched: true })
  rerender({ first: null, watched: false })
  rerender({ first: 'two', watched: false })
  rerender({ first: 'two', watched: true })
  rerender({ first: null, watched: true })
  expect(result.current.lineId).toBe('two')
  act(() => result.current.onMissed('three'))
  expect(result.current.lineId).toBe('three')
})
