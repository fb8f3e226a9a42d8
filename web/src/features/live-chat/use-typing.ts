import { useCallback, useEffect, useRef } from 'react'
import { useEmit, useLine } from '../../lib/socket.tsx'

type Doing = 'typing' | 'recording'

/** WhatsApp forgets after ten seconds or so: told again before that, and not at every key, in ms. */
const repeatMs = 4_000
/** Who stops for this long has stopped, in ms. */
const restMs = 6_000

/**
 * Tells the contact that somebody writes or records: at once, then every few seconds while it goes on, and when it ends.
 * Nothing is told while the line is down, since it would arrive too late to be true.
 */
export const useTyping = (contactId: string) => {
  const emit = useEmit()
  const online = useLine() === 'online'
  const doing = useRef<{ what: Doing; toldAt: number } | null>(null)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOnline = useRef(online)
  isOnline.current = online

  const stop = useCallback(() => {
    clearTimeout(rest.current)
    if (doing.current && isOnline.current) emit('contact:typing', contactId, 'paused')
    doing.current = null
  }, [contactId, emit])

  const tell = useCallback(
    (what: Doing) => {
      clearTimeout(rest.current)
      rest.current = setTimeout(stop, restMs)
      const now = Date.now()
      const told = doing.current
      if (told?.what === what && now - told.toldAt < repeatMs) return
      if (isOnline.current) emit('contact:typing', contactId, what)
      doing.current = { what, toldAt: now }
    },
    [contactId, emit, stop],
  )

  useEffect(() => stop, [stop])
  return { tell, stop }
}
