import { useEffect, useState } from 'react'
import type { TryoutItem } from './tryout-items.ts'

const typingOf = (item: TryoutItem | undefined) => (item?.kind === 'own' ? item.typingSeconds : 0)

export interface Reveal {
  shown: readonly TryoutItem[]
  isTyping: boolean
  /** Shows the message that is being typed. */
  skip: () => void
}

/** As on the phone: a message with 'digitando…' appears after so many seconds, the others at once. What is there first is shown. */
export const useReveal = (items: readonly TryoutItem[]): Reveal => {
  const [count, setCount] = useState(items.length)
  const at = Math.min(count, items.length)
  const pause = items.findIndex((item, index) => index >= at && typingOf(item) > 0)
  const reached = pause === -1 ? items.length : pause
  const typingMs = typingOf(items[pause]) * 1000
  useEffect(() => {
    if (reached !== count) {
      setCount(reached)
      return
    }
    if (pause !== reached) return
    const timer = setTimeout(() => setCount(reached + 1), typingMs)
    return () => clearTimeout(timer)
  }, [count, reached, pause, typingMs])
  return { shown: items.slice(0, reached), isTyping: pause !== -1, skip: () => setCount(reached + 1) }
}
