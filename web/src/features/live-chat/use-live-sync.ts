import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { rememberPosition } from '../../lib/http.ts'
import { usePollingPace } from '../../lib/live-pace.ts'
import { useEmit, useLine, useSocketEvent } from '../../lib/socket.tsx'
import { keys } from './api.ts'
import { useUntoldNews } from './use-untold-news.ts'

/**
 * Reads again what a push says is new. Pushes that come while a reading runs are taken together in the next one, so a
 * flood of messages costs one reading after another and never starves. Meanwhile polling is slow; it is as fast as the
 * specification, 9, has it while no pushes arrive, or come late. A push may name a contact that stands behind the one in view.
 */
export const useLiveSync = (inView: Contact | null | undefined): void => {
  const client = useQueryClient()
  const lastPushMs = useRef(Number.NEGATIVE_INFINITY)
  usePollingPace()
  useUntoldNews(lastPushMs)
  const pending = useRef(new Set<string>())
  const reading = useRef(false)

  const readAgain = useCallback(async () => {
    if (reading.current) return
    reading.current = true
    while (pending.current.size > 0) {
      const contactIds = [...pending.current]
      pending.current.clear()
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.lists }),
        client.invalidateQueries({ queryKey: keys.counts }),
        ...contactIds.flatMap((id) => [
          client.invalidateQueries({ queryKey: keys.contact(id) }),
          client.invalidateQueries({ queryKey: keys.history(id) }),
        ]),
      ])
    }
    reading.current = false
  }, [client])

  const shownId = (id: string) => (inView?.merged.some((other) => other.id === id) ? inView.id : id)
  const onPush = ({ contactId, position }: { contactId: string; position: string }) => {
    rememberPosition(position)
    lastPushMs.current = performance.now()
    pending.current.add(shownId(contactId))
    void readAgain()
  }
  useSocketEvent('whatsapp:new_message', onPush)
  useSocketEvent('whatsapp:contact_update', onPush)
  useSocketEvent('whatsapp:media_update', ({ contactId, position }) => {
    rememberPosition(position)
    void client.invalidateQueries({ queryKey: keys.history(shownId(contactId)) })
  })
}

/** Tells the server which conversation is in view, again after every reconnection. */
export const useContactRoom = (contactId: string): void => {
  const emit = useEmit()
  const online = useLine() === 'online'
  useEffect(() => {
    if (!online) return
    emit('contact:open', contactId, () => undefined)
    return () => emit('contact:close', contactId)
  }, [contactId, emit, online])
}
