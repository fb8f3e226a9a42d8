import type { Message } from '@prosa/contracts/http/live-chat'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Target } from '../conversation-state.ts'
import { estimatedHeight, type HistoryRow } from './history-rows.ts'
import { useJump } from './use-jump.ts'
import { useNearEnds } from './use-near-ends.ts'

const isOnItsWay = ({ sender, status }: Message) => sender === 'user' && status === 'queued'

const arrivalsAfter = (messages: Message[], lastBefore: string | undefined) => {
  const known = messages.findIndex(({ id }) => id === lastBefore)
  const arrived = messages.slice(known + 1)
  return {
    // Another history, or a message of ours: go to the end.
    wantsEnd: known === -1 || arrived.some(isOnItsWay),
    theirs: arrived.filter(({ sender }) => sender === 'contact'),
  }
}

/** Within this many px of the end, the history follows new messages. */
const bottomReach = 64
/** Beyond this many px, the down button appears. */
const awayReach = 400

export interface HistoryEnds {
  onNearTop: () => void
  onNearBottom: () => void
  onView: (messageId: string) => void
}

interface Options extends HistoryEnds {
  messages: Message[]
  rows: HistoryRow[]
  /** Ids that the server does not have. */
  onlyHere: ReadonlySet<string>
  reachesLatest: boolean
  target: Target | null
  onMissed: (messageId: string) => void
}

type Virtual = Virtualizer<HTMLDivElement, Element>

/** `key`: of a row, for messages their id. False when it is not loaded. */
const useReveal = (rows: HistoryRow[], virtual: Virtual) => {
  const latest = useRef(rows)
  latest.current = rows
  return useCallback(
    (key: string, align: 'auto' | 'center' | 'start'): boolean => {
      const index = latest.current.findIndex((row) => row.key === key)
      if (index >= 0) virtual.scrollToIndex(index, { align })
      return index >= 0
    },
    [virtual],
  )
}

/** Growth below keeps the last message in view; a banner above must not move the text being read. */
const useResize = (viewport: RefObject<HTMLDivElement | null>, atEnd: RefObject<boolean>, virtual: Virtual) => {
  useEffect(() => {
    const element = viewport.current
    if (!element || typeof ResizeObserver === 'undefined') return
    let top = element.getBoundingClientRect().top
    const resized = new ResizeObserver(() => {
      if (element.clientHeight === 0) return
      const before = top
      top = element.getBoundingClientRect().top
      if (atEnd.current) virtual.scrollToEnd()
      else element.scrollTop += top - before
    })
    resized.observe(element)
    return () => resized.disconnect()
  }, [viewport, atEnd, virtual])
}

const useVirtualRows = (viewport: RefObject<HTMLDivElement | null>, rows: HistoryRow[], followOnAppend: boolean) =>
  useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: (index) => estimatedHeight(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 10,
    paddingEnd: 16,
    scrollPaddingStart: 96,
    anchorTo: 'end',
    followOnAppend,
    scrollEndThreshold: bottomReach,
  })

/**
 * Opens at the first unread message or the end, follows at the end, counts arrivals while scrolled up, does not move when older messages
 * load, scrolls to the target.
 */
export const useHistoryScroll = ({ messages, rows, onlyHere, reachesLatest, target, onMissed, ...ends }: Options) => {
  const viewport = useRef<HTMLDivElement>(null)
  const atEnd = useRef(false)
  const [missed, setMissed] = useState(0)
  const latestMissed = useRef(missed)
  latestMissed.current = missed
  const [isAway, setAway] = useState(false)

  const virtual = useVirtualRows(viewport, rows, reachesLatest)
  const reveal = useReveal(rows, virtual)

  /** The end was asked for, and its messages are being read. */
  const goesToEnd = useRef(false)
  const toBottom = useCallback(() => {
    goesToEnd.current = false
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

  useResize(viewport, atEnd, virtual)

  const opened = useRef(false)
  const shown = useRef<{ last?: string; reachedLatest: boolean }>({ reachedLatest: reachesLatest })
  useLayoutEffect(() => {
    const last = messages.at(-1)?.id
    const before = shown.current
    shown.current = { last, reachedLatest: reachesLatest }
    if (rows.length === 0) return
    if (!opened.current) {
      opened.current = true
      if (!reveal('unread', 'start')) virtual.scrollToEnd()
      return
    }
    if (!reachesLatest || (last === before.last && !goesToEnd.current)) return
    const { wantsEnd, theirs } = arrivalsAfter(messages, before.last)
    if (wantsEnd || goesToEnd.current) toBottom()
    else if (before.reachedLatest && virtual.getDistanceFromEnd() > bottomReach) {
      if (latestMissed.current === 0 && theirs[0]) onMissed(theirs[0].id)
      setMissed((count) => count + theirs.length)
    }
  }, [messages, rows, reachesLatest, onMissed, reveal, toBottom, virtual])

  const highlightedId = useJump(target, rows, reveal)
  const stored = virtual.getVirtualItems().flatMap(({ index }) => {
    const row = rows[index]
    return row?.kind === 'message' && !onlyHere.has(row.key) ? row.key : []
  })
  const { isNearTop, isNearBottom } = useNearEnds({
    rowCount: rows.length,
    range: virtual.range,
    viewedId: stored[stored.length >> 1],
    onSettled: onScroll,
    ...ends,
  })

  return {
    viewport,
    virtual,
    missed,
    isAway,
    isNearTop,
    isNearBottom,
    highlightedId,
    reveal,
    goesToEnd,
    toBottom,
    onScroll,
  }
}
