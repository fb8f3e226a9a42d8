import type { ContactPresence } from '@prosa/contracts/realtime'
import { useEffect, useState } from 'react'
import { useSocketEvent, useSocketStatus } from '../../../lib/realtime/socket.tsx'

/** Typing expires after this silence. */
const staleMs = 25_000

const words: Record<ContactPresence, string | null> = {
  typing: 'digitando...',
  recording: 'gravando áudio...',
  available: 'online',
  paused: 'online',
  unavailable: null,
}

/** Null when unknown. */
export const usePresence = (contactId: string): string | null => {
  const status = useSocketStatus()
  const [state, setState] = useState<ContactPresence>('unavailable')

  useSocketEvent('whatsapp:presence', (push) => {
    if (push.contactId === contactId) setState(push.state)
  })
  useEffect(() => {
    if (status !== 'online') setState('unavailable')
  }, [status])
  useEffect(() => {
    if (state !== 'typing' && state !== 'recording') return
    const timer = setTimeout(() => setState('paused'), staleMs)
    return () => clearTimeout(timer)
  }, [state])

  return words[state]
}
