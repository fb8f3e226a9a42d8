import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readAgain } from '../../../lib/merged-readings.ts'
import { useSocketStatus } from '../../../lib/socket.tsx'
import { keys, markSeen } from '../api.ts'
import { useWindowVisible } from '../use-window-visible.ts'

const repeatMs = 5_000

/** Only while the latest messages are in a visible window and some are unread. */
export const useSeen = ({ id, unreadCount, lastActivity }: Contact, reachesLatest: boolean): void => {
  const client = useQueryClient()
  const visible = useWindowVisible()
  const online = useSocketStatus() === 'online'
  const [failures, setFailures] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrives right after being seen may leave the count as it was, and what failed is tried again
  useEffect(() => {
    if (!visible || !reachesLatest || unreadCount === 0) return
    let repeat: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const showSeen = () => {
      client.setQueryData<Contact>(
        keys.contact(id),
        (contact) => contact && { ...contact, unreadCount: 0, firstUnreadId: null },
      )
      readAgain(client, keys.lists)
    }
    // On failure it stays unread, which is true.
    void markSeen(id).then(showSeen, () => {
      if (!isOver) repeat = setTimeout(() => setFailures((count) => count + 1), repeatMs)
    })
    return () => {
      isOver = true
      clearTimeout(repeat)
    }
  }, [client, id, visible, reachesLatest, unreadCount, lastActivity, failures, online])
}
