import { type KeyboardEvent, useState } from 'react'

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** ↑ ↓ Home End move through the rows (roving tabindex). */
export const useRowWalk = (count: number) => {
  const [current, setCurrent] = useState(0)
  const at = Math.min(current, Math.max(0, count - 1))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const next = step(at, count - 1)
    setCurrent(next)
    const row = event.currentTarget.children[next]
    if (row instanceof HTMLElement) row.focus()
  }
  const rowProps = (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setCurrent(index) })
  return { onKeyDown, rowProps }
}
