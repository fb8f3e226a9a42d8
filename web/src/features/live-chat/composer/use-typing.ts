import { useCallback, useEffect, useRef } from 'react'
import { useEmit, useLine } from '../../../lib/socket.tsx'

type Doing = 'typing' | 'recording'

/** WhatsApp forgets after ten seconds or so: repeated before that, and not at every key, in ms. */
export const typingRepeatMs = 4_000
/** Who stops for this long has stopped, in ms. */
const restMs = 6_000

/**
 * Notifies the contact that somebody writes or records: at once, then every few seconds while it goes on, and when it ends.
 * Nothing is sent while the line is down, since it would arrive too late to be true.
 */
export const useTyping = (contactId: string) => {
  const emit = useEmit()
  const online = useLine() === 'online'
  const doing = useRef<{ what: Doing; notifiedAt: number } | null>(null)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOnline = useRef(online)
  isOnline.current = online

  const stop = useCallback(() => {
    clearTimeout(rest.current)
    if (doing.current && isOnline.current) emit('contact:typing', contactId, 'paused')
    doing.current = null
  }, [contactId, emit])

  const notify = useCallback(
    (what: Doing) => {
      clearTimeout(rest.current)
      rest.current = setTimeout(stop, restMs)
      const now = Date.now()
      const last = doing.current
      if (last?.what === what && now - last.notifiedAt < typingRepeatMs) return
      if (isOnline.current) emit('contact:typing', contactId, what)
      doing.current = { what, notifiedAt: now }
    },
    [contactId, emit, stop],
  )

  useEffect(() => stop, [stop])
  return { notify, stop }
}

export type Typing = ReturnType<typeof useTyping>
