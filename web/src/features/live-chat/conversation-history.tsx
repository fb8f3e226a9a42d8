import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useAtom } from 'jotai'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { keys, messagePage } from './api.ts'
import { outgoingAtom } from './atoms.ts'
import { contactName } from './contact-name.ts'
import { History } from './history.tsx'
import { firstUnreadId } from './history-days.ts'
import { type History as LoadedHistory, withOlderPage } from './history-page.ts'
import { stillOutgoing, withOutgoing } from './outgoing.ts'
import { useOutbox } from './use-outbox.ts'
import { useSeen } from './use-seen.ts'

const useOlderPages = (contactId: string, cursor: string | null) => {
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: (from: string) => messagePage(contactId, from),
    onSuccess: (page) =>
      client.setQueryData<LoadedHistory>(keys.history(contactId), (loaded) => loaded && withOlderPage(loaded, page)),
  })
  const load = useCallback(() => {
    if (cursor !== null && !isPending) mutate(cursor)
  }, [cursor, isPending, mutate])
  return { load, isPending, isError }
}

/** The history of the contact with what is on its way; mounted once both contact and history are known. */
export const ConversationHistory = ({ contact, loaded }: { contact: Contact; loaded: LoadedHistory }) => {
  const [outgoing, setOutgoing] = useAtom(outgoingAtom)
  const { retry } = useOutbox()
  const older = useOlderPages(contact.id, loaded.olderCursor)
  const [unreadAtOpening] = useState(() => firstUnreadId(loaded.messages, contact.unreadCount))
  useSeen(contact)

  const messages = useMemo(
    () =>
      withOutgoing(
        loaded.messages,
        outgoing.filter(({ contactId }) => contactId === contact.id),
      ),
    [loaded.messages, outgoing, contact.id],
  )
  useEffect(() => {
    setOutgoing((all) => stillOutgoing(all, loaded.messages))
  }, [loaded.messages, setOutgoing])

  const onRetry = useCallback(
    ({ id, contactId, content, timestamp }: Message) =>
      retry({ id, contactId, content, writtenAt: timestamp, state: 'sending', failure: null }),
    [retry],
  )

  return (
    <History
      messages={messages}
      contactName={contactName(contact)}
      firstUnreadId={unreadAtOpening}
      hasOlder={loaded.olderCursor !== null}
      isLoadingOlder={older.isPending}
      onNearTop={older.load}
      onRetry={onRetry}
    />
  )
}
