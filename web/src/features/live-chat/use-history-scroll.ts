import type { Message } from '@prosa/contracts/http/live-chat'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Closer to the end than this, the history follows; closer to the beginning, older messages are fetched. In px. */
const bottomReach = 64
const topReach = 600

const jump = (viewport: HTMLElement) => {
  viewport.scrollTop = viewport.scrollHeight
}

/**
 * Where the history stands: it opens at the first unread message (the element `data-unread`) or at the end, follows at the
 * end, counts what arrives while it is scrolled up, and stays where it is when older messages come in above.
 */
export const useHistoryScroll = (messages: Message[], onNearTop: () => void) => {
  const viewport = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atBottom = useRef(true)
  const shown = useRef<{ first?: string; last?: string; height: number } | null>(null)
  const [missed, setMissed] = useState(0)

  const measure = useCallback(() => {
    const element = viewport.current
    if (!element) return
    atBottom.current = element.scrollHeight - element.scrollTop - element.clientHeight <= bottomReach
    if (atBottom.current) setMissed(0)
  }, [])

  const toBottom = useCallback(() => {
    viewport.current?.scrollTo?.({ top: viewport.current.scrollHeight, behavior: 'smooth' })
  }, [])

  const onScroll = useCallback(() => {
    measure()
    const element = viewport.current
    if (element && element.scrollTop < topReach) onNearTop()
  }, [measure, onNearTop])

  useLayoutEffect(() => {
    const element = viewport.current
    if (!element) return
    const before = shown.current
    const first = messages[0]?.id
    const last = messages.at(-1)?.id
    shown.current = { first, last, height: element.scrollHeight }
    if (!before) {
      const unread = element.querySelector<HTMLElement>('[data-unread]')
      if (unread) element.scrollTop = unread.offsetTop - element.clientHeight / 4
      else jump(element)
      measure()
      return
    }
    if (first !== before.first && messages.some(({ id }) => id === before.first)) {
      element.scrollTop += element.scrollHeight - before.height
    }
    if (last === before.last) return
    const arrived = messages.slice(messages.findIndex(({ id }) => id === before.last) + 1)
    if (atBottom.current || arrived.some(({ sender, status }) => sender === 'user' && status === 'queued')) {
      jump(element)
      measure()
    } else {
      setMissed((count) => count + arrived.filter(({ sender }) => sender === 'contact').length)
    }
  }, [messages, measure])

  useEffect(() => {
    if (!viewport.current || !content.current || typeof ResizeObserver === 'undefined') return
    const resized = new ResizeObserver(() => {
      const element = viewport.current
      if (!element) return
      if (shown.current) shown.current.height = element.scrollHeight
      if (atBottom.current) jump(element)
      if (element.scrollHeight <= element.clientHeight + topReach) onNearTop()
    })
    resized.observe(viewport.current)
    resized.observe(content.current)
    return () => resized.disconnect()
  }, [onNearTop])

  return { viewport, content, missed, onScroll, toBottom }
}
