import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { notePosition } from '../../lib/http/http.ts'
import { usePollingPace } from '../../lib/realtime/live-pace.ts'
import { readAgain } from '../../lib/realtime/merged-readings.ts'
import { useEmit, useSocketEvent, useSocketStatus } from '../../lib/realtime/socket.tsx'
import { keys } from './api.ts'
import { useMissedPushes } from './use-missed-pushes.ts'

/**
 * Merges refetches in a burst. Polling is slow while pushes arrive in time, else as in the specification, 9. A push may name a contact
 * merged into the one in view.
 */
export const useLiveSync = (inView: Contact | null | undefined): void => {
  const client = useQueryClient()
  const lastPushMs = useRef(Number.NEGATIVE_INFINITY)
  usePollingPace()
  useMissedPushes(lastPushMs)

  const shownId = (id: string) => (inView?.merged.some((other) => other.id === id) ? inView.id : id)
  const onPush = ({ contactId, position }: { contactId: string; position: string }) => {
    notePosition(position)
    lastPushMs.current = performance.now()
    const id = shownId(contactId)
    for (const key of [keys.lists, keys.counts, keys.contact(id), keys.history(id)]) readAgain(client, key)
  }
  useSocketEvent('whatsapp:new_message', onPush)
  useSocketEvent('whatsapp:contact_update', (push) => {
    onPush(push)
    readAgain(client, keys.notes(shownId(push.contactId)))
    readAgain(client, keys.fields(shownId(push.contactId)))
  })
  useSocketEvent('whatsapp:media_update', ({ contactId, position }) => {
    notePosition(position)
    readAgain(client, keys.history(shownId(contactId)))
  })
}

/** Sent again after each reconnection. */
export const useContactRoom = (contactId: string): void => {
  const emit = useEmit()
  const online = useSocketStatus() === 'online'
  useEffect(() => {
    if (!online) return
    emit('contact:open', contactId, () => undefined)
    return () => emit('contact:close', contactId)
  }, [contactId, emit, online])
}
