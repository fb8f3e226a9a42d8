import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** 'Novas mensagens' is above the first message unread on opening, or arrived unwatched. Reading it or watched arrivals do not move it. */
export const useUnreadLine = (firstUnreadId: string | null, isWatched: boolean) => {
  const [lineId, setLine] = useState(firstUnreadId)
  const before = useRef({ firstUnreadId, isWatched })
  useLayoutEffect(() => {
    const { firstUnreadId: known, isWatched: wasWatched } = before.current
    before.current = { firstUnreadId, isWatched }
    // Arrival and watching change in the same render: the previous state counts.
    if (firstUnreadId !== null && firstUnreadId !== known && !wasWatched) setLine(firstUnreadId)
  }, [firstUnreadId, isWatched])
  return { lineId, onMissed: useCallback((messageId: string) => setLine(messageId), []) }
}
