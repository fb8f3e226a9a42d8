import type { Contact } from '@prosa/contracts/http/live-chat'
import { useEffect, useState } from 'react'
import type { History } from '../history-page.ts'

interface Options {
  contact: Contact
  loaded: History
  messageId: string | null
  jump: number
  goTo: (messageId: string) => Promise<boolean>
}

/** True while on the way to the requested or first unread message. */
export const useOpeningMessage = ({ contact, loaded, messageId, jump, goTo }: Options): boolean => {
  const [arrivedAt, setArrivedAt] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks for the message again wants to see it again
  useEffect(() => {
    const go = async () => {
      if (messageId !== null && !(await goTo(messageId))) setArrivedAt(messageId)
    }
    void go()
  }, [messageId, jump, goTo])
  useEffect(() => {
    if (loaded.messages.some(({ id }) => id === messageId)) setArrivedAt(messageId)
  }, [loaded.messages, messageId])

  // Also when the unread messages exceed a page.
  const [beginsAbove, setBeginsAbove] = useState(() =>
    messageId === null &&
    contact.firstUnreadId !== null &&
    !loaded.messages.some(({ id }) => id === contact.firstUnreadId) &&
    loaded.olderCursor !== null
      ? contact.firstUnreadId
      : null,
  )
  useEffect(() => {
    const go = async () => {
      if (beginsAbove !== null && !(await goTo(beginsAbove))) setBeginsAbove(null)
    }
    void go()
  }, [beginsAbove, goTo])
  useEffect(() => {
    if (loaded.messages.some(({ id }) => id === beginsAbove)) setBeginsAbove(null)
  }, [loaded.messages, beginsAbove])

  return beginsAbove !== null || (messageId !== null && arrivedAt !== messageId)
}
