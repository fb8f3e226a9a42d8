import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Target } from '../conversation-state.ts'
import type { HistoryRow } from './history-rows.ts'

const highlightMs = 2_400

/** Goes there once the message is loaded. Returns the id of the highlighted message. */
export const useJump = (
  target: Target | null,
  rows: HistoryRow[],
  reveal: (messageId: string, align: 'center') => boolean,
): string | undefined => {
  const [highlighted, setHighlighted] = useState<Target | null>(null)
  const done = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump waits for the rows around its message
  useLayoutEffect(() => {
    if (!target || target.number === done.current) return
    if (!reveal(target.messageId, 'center')) return
    done.current = target.number
    setHighlighted(target)
  }, [target, reveal, rows])
  // A repeated jump restarts the highlight.
  useEffect(() => {
    if (highlighted === null) return
    const timer = setTimeout(() => setHighlighted(null), highlightMs)
    return () => clearTimeout(timer)
  }, [highlighted])
  return highlighted?.messageId
}
