import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keys, markSeen } from './api.ts'
import { useWindowVisible } from './use-window-visible.ts'

/** Marks the conversation as seen while its latest messages are in view in a visible window and some are unread. */
export const useSeen = ({ id, unreadCount, lastActivity }: Contact, reachesLatest: boolean): void => {
  const client = useQueryClient()
  const visible = useWindowVisible()

  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrives right after being seen may leave the count as it was
  useEffect(() => {
    if (!visible || !reachesLatest || unreadCount === 0) return
    const readAgain = async () => {
      client.setQueryData<Contact>(keys.contact(id), (contact) => contact && { ...contact, unreadCount: 0 })
      await client.invalidateQueries({ queryKey: keys.lists })
    }
    // Refused or offline, it stays unread, which is true; the next poll brings the count and with it the next try.
    void markSeen(id).then(readAgain, () => undefined)
  }, [client, id, visible, reachesLatest, unreadCount, lastActivity])
}
