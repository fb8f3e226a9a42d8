import { useEffect, useState } from 'react'

/** Nearer to an end of what is loaded than this many rows, the next page is fetched. */
const pageReach = 12

/** True once the history stands where it opens: before, it only seems to be at its top. */
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
  /** The indexes of the first and last row in view; null before there is a view. */
  range: { startIndex: number; endIndex: number } | null
  onSettled: () => void
  onNearTop: () => void
  onNearBottom: () => void
}

/** Asks for the next page near either end of what is loaded, once the history stands where it opens. */
export const useNearEnds = ({ rowCount, range, onSettled, onNearTop, onNearBottom }: Options) => {
  const isSettled = useSettled(rowCount > 0)
  // Where it opens at its very beginning nothing scrolls, and yet the end may be far.
  useEffect(() => {
    if (isSettled) onSettled()
  }, [isSettled, onSettled])
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
