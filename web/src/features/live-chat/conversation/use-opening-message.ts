import type { Contact } from '@prosa/contracts/http/live-chat'
import { useEffect, useState } from 'react'
import type { History } from '../history-page.ts'

interface Options {
  contact: Contact
  loaded: History
  /** The message to open at, or null. */
  messageId: string | null
  /** Anew with each time that the message is asked for. */
  jump: number
  goTo: (messageId: string) => Promise<boolean>
}

/** Opens the conversation at a message that was asked for, or where the unread ones begin. Answers whether it is on its way there. */
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

  // It opens where the unread messages begin, also when they fill more than a page.
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
