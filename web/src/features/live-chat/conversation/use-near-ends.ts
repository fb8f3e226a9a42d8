import { useEffect, useState } from 'react'

/** Within this many rows of an end, the next page is fetched. */
const pageReach = 12

/** True after the initial scroll: before, the history seems to be at its top. */
const useSettled = (hasRows: boolean): boolean => {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    if (!hasRows) return
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setSettled(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [hasRows])
  return isSettled
}

interface Options {
  rowCount: number
  /** Row indexes in view; null before layout. */
  range: { startIndex: number; endIndex: number } | null
  /** In the middle of the view. */
  viewedId: string | undefined
  onView: (messageId: string) => void
  onSettled: () => void
  onNearTop: () => void
  onNearBottom: () => void
}

export const useNearEnds = ({ rowCount, range, viewedId, onView, onSettled, onNearTop, onNearBottom }: Options) => {
  const isSettled = useSettled(rowCount > 0)
  // A history that opens at its beginning fires no scroll event.
  useEffect(() => {
    if (isSettled) onSettled()
  }, [isSettled, onSettled])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each row there may be more than is needed
  useEffect(() => {
    if (isSettled && viewedId !== undefined) onView(viewedId)
  }, [isSettled, viewedId, rowCount, onView])
  const first = range?.startIndex ?? 0
  const end = range?.endIndex ?? 0
  const isNearTop = isSettled && first < pageReach
  const isNearBottom = isSettled && end >= rowCount - pageReach
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a page came, and with each row, its beginning may be near again
  useEffect(() => {
    if (isNearTop) onNearTop()
  }, [isNearTop, first, rowCount, onNearTop])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same at the other end
  useEffect(() => {
    if (isNearBottom) onNearBottom()
  }, [isNearBottom, end, rowCount, onNearBottom])
  return { isNearTop, isNearBottom }
}
