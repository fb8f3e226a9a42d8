import { useCallback, useEffect, useRef } from 'react'
import { useEmit, useSocketStatus } from '../../../lib/realtime/socket.tsx'

type Doing = 'typing' | 'recording'

/** WhatsApp's typing status expires after about ten seconds. */
export const typingRepeatMs = 4_000
/** A pause this long ends typing. */
const restMs = 6_000

/** Sends nothing while disconnected: it would arrive too late. */
export const useTyping = (contactId: string) => {
  const emit = useEmit()
  const online = useSocketStatus() === 'online'
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
