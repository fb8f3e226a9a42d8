import type { Message } from '@prosa/contracts/http/live-chat'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { estimatedHeight, type HistoryRow } from './history-rows.ts'

/** Closer to the end than this, the history follows, in px. */
const bottomReach = 64
/** Nearer to an end of what is loaded than this many rows, the next page is fetched. */
const pageReach = 12
/** Farther up than this many px, there is a button that leads down. */
const awayReach = 400
const highlightMs = 2_400

export interface HistoryEnds {
  onNearTop: () => void
  onNearBottom: () => void
}

/** Where to go in the conversation, anew with each `number`. */
export interface Target {
  messageId: string
  number: number
}

interface Options extends HistoryEnds {
  messages: Message[]
  rows: HistoryRow[]
  reachesLatest: boolean
  target: Target | null
  onMissed: (messageId: string) => void
}

const isOnItsWay = ({ sender, status }: Message) => sender === 'user' && status === 'queued'

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

/**
 * Where the history stands: it opens at the first unread message or at the end, follows at the end, counts what arrives
 * while it is scrolled up, stays where it is when older messages come in above, and goes to a message when it is told to.
 */
export const useHistoryPlace = ({
  messages,
  rows,
  reachesLatest,
  target,
  onMissed,
  onNearTop,
  onNearBottom,
}: Options) => {
  const viewport = useRef<HTMLDivElement>(null)
  const atEnd = useRef(false)
  const [missed, setMissed] = useState(0)
  const latestMissed = useRef(missed)
  latestMissed.current = missed
  const [isAway, setAway] = useState(false)
  const [highlighted, setHighlighted] = useState<Target | null>(null)

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: (index) => estimatedHeight(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 10,
    paddingEnd: 16,
    scrollPaddingStart: 96,
    anchorTo: 'end',
    followOnAppend: reachesLatest,
    scrollEndThreshold: bottomReach,
  })

  const indexOf = (key: string) => rows.findIndex((row) => row.key === key)
  const latestIndexOf = useRef(indexOf)
  latestIndexOf.current = indexOf

  /** Brings a message into view; false when it is not loaded. */
  const reveal = useCallback(
    (messageId: string, align: 'auto' | 'center'): boolean => {
      const index = latestIndexOf.current(messageId)
      if (index >= 0) virtual.scrollToIndex(index, { align })
      return index >= 0
    },
    [virtual],
  )

  const toBottom = useCallback(() => {
    virtual.scrollToEnd({ behavior: 'auto' })
    setMissed(0)
    setAway(false)
  }, [virtual])

  const onScroll = useCallback(() => {
    const element = viewport.current
    if (!element) return
    const distance = element.scrollHeight - element.scrollTop - element.clientHeight
    atEnd.current = distance <= bottomReach
    setAway(distance > awayReach)
    if (atEnd.current) setMissed(0)
  }, [])

  // What grows below the history (files, a quote, a long draft) leaves the last message in view.
  useEffect(() => {
    if (!viewport.current || typeof ResizeObserver === 'undefined') return
    const resized = new ResizeObserver(() => {
      if (atEnd.current) virtual.scrollToEnd()
    })
    resized.observe(viewport.current)
    return () => resized.disconnect()
  }, [virtual])

  const opened = useRef(false)
  const shown = useRef<{ last?: string; reachedLatest: boolean }>({ reachedLatest: reachesLatest })
  useLayoutEffect(() => {
    const last = messages.at(-1)?.id
    const before = shown.current
    shown.current = { last, reachedLatest: reachesLatest }
    if (rows.length === 0) return
    if (!opened.current) {
      opened.current = true
      const unread = latestIndexOf.current('unread')
      if (unread >= 0) virtual.scrollToIndex(unread, { align: 'start' })
      else virtual.scrollToEnd()
      return
    }
    if (last === before.last || !reachesLatest) return
    const known = messages.findIndex(({ id }) => id === before.last)
    const arrived = messages.slice(known + 1)
    // Other messages altogether, or one of ours: whoever asked for them wants to see the end.
    if (known === -1 || arrived.some(isOnItsWay)) toBottom()
    else if (before.reachedLatest && virtual.getDistanceFromEnd() > bottomReach) {
      const theirs = arrived.filter(({ sender }) => sender === 'contact')
      if (latestMissed.current === 0 && theirs[0]) onMissed(theirs[0].id)
      setMissed((count) => count + theirs.length)
    }
  }, [messages, rows, reachesLatest, onMissed, toBottom, virtual])

  const done = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump waits for the rows around its message
  useLayoutEffect(() => {
    if (!target || target.number === done.current) return
    if (!reveal(target.messageId, 'center')) return
    done.current = target.number
    setHighlighted(target)
  }, [target, reveal, rows])
  // Who goes there again sees it stand out for as long again.
  useEffect(() => {
    if (highlighted === null) return
    const timer = setTimeout(() => setHighlighted(null), highlightMs)
    return () => clearTimeout(timer)
  }, [highlighted])

  const isSettled = useSettled(rows.length > 0)
  // Where it opens at its very beginning nothing scrolls, and yet the end may be far.
  useEffect(() => {
    if (isSettled) onScroll()
  }, [isSettled, onScroll])
  const first = virtual.range?.startIndex ?? 0
  const end = virtual.range?.endIndex ?? 0
  const isNearTop = isSettled && first < pageReach
  const isNearBottom = isSettled && end >= rows.length - pageReach
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a page came, and with each row, its beginning may be near again
  useEffect(() => {
    if (isNearTop) onNearTop()
  }, [isNearTop, first, rows.length, onNearTop])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same at the other end
  useEffect(() => {
    if (isNearBottom) onNearBottom()
  }, [isNearBottom, end, rows.length, onNearBottom])

  return {
    viewport,
    virtual,
    missed,
    isAway,
    isNearTop,
    isNearBottom,
    highlightedId: highlighted?.messageId,
    reveal,
    toBottom,
    onScroll,
  }
}
