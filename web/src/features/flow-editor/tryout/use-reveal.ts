import useMediaQuery from '@mui/material/useMediaQuery'
import { useEffect, useState } from 'react'
import type { TryoutItem } from './tryout-items.ts'

/** Duration of 'digitando…' in a test, whatever the flow sets. */
const typingMs = 700

const isTyped = (item: TryoutItem) => item.kind === 'own' && item.isTyped

/** Rows with typing appear after `typingMs`, the others at once. */
export const useReveal = (items: readonly TryoutItem[]): { shown: readonly TryoutItem[]; isTyping: boolean } => {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const [count, setCount] = useState(items.length)
  const at = Math.min(count, items.length)
  const pause = isStill ? -1 : items.findIndex((item, index) => index >= at && isTyped(item))
  const reached = pause === -1 ? items.length : pause
  useEffect(() => {
    if (reached !== count) {
      setCount(reached)
      return
    }
    if (pause !== reached) return
    const timer = setTimeout(() => setCount(reached + 1), typingMs)
    return () => clearTimeout(timer)
  }, [count, reached, pause])
  return { shown: items.slice(0, reached), isTyping: pause !== -1 }
}
