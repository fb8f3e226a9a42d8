import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { welcome } from '../testing/flow-part.tsx'
import { useSettledDocument } from './use-settled.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rest = () => act(() => vi.advanceTimersByTime(500))

it('counts changes of the draft once they rest, and not where a node stands', () => {
  const { result, rerender } = renderHook(useSettledDocument, { initialProps: welcome() })
  const moved = welcome()
  for (const node of moved.nodes) node.position = { x: 300, y: 300 }
  rerender(moved)
  rest()
  expect(result.current).toMatchObject({ number: 0, document: moved })

  const changed = welcome()
  for (const node of changed.nodes) if (node.type === 'message') node.data.message = 'Bom dia!'
  rerender(changed)
  expect(result.current.number).toBe(0)
  rest()
  expect(result.current).toMatchObject({ number: 1, document: changed })
})
