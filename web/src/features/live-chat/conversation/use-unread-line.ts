import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/**
 * The message above which 'Novas mensagens' stands: the first that nobody had seen when the conversation was opened, or that
 * came while nobody looked at its end. What comes before somebody's eyes moves it nowhere, nor does its being seen.
 */
export const useUnreadLine = (firstUnreadId: string | null, isWatched: boolean) => {
  const [lineId, setLine] = useState(firstUnreadId)
  const before = useRef({ firstUnreadId, isWatched })
  useLayoutEffect(() => {
    const { firstUnreadId: known, isWatched: wasWatched } = before.current
    before.current = { firstUnreadId, isWatched }
    // What came is shown in the same moment in which it is watched: whether somebody looked before counts.
    if (firstUnreadId !== null && firstUnreadId !== known && !wasWatched) setLine(firstUnreadId)
  }, [firstUnreadId, isWatched])
  return { lineId, onMissed: useCallback((messageId: string) => setLine(messageId), []) }
}
