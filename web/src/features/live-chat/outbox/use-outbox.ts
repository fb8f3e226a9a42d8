import type { Message } from '@prosa/contracts/http/live-chat'
import { useSetAtom, useStore } from 'jotai'
import { useCallback } from 'react'
import { outgoingAtom, underWayAtom } from '../atoms.ts'
import { outgoingAfter } from '../conversation-state.ts'
import { asOutgoing, isUploading, type Writing } from './outgoing.ts'
import { fileLost } from './send-failure.ts'
import { useDelivery } from './use-delivery.ts'
import { useUploads } from './use-uploads.ts'

/** WhatsApp's format: `3EB0` and 18 upper-case hex digits. A repeated request with the same id sends once. */
const newMessageId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return `3EB0${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`
}

/** Serial within a conversation. Files upload first, one at a time, and block no text. All wait while offline. `retry` keeps the id. */
export const useOutbox = () => {
  const store = useStore()
  const setOutgoing = useSetAtom(outgoingAtom)
  const uploads = useUploads()
  const { account, deliver } = useDelivery()

  const send = useCallback(
    (contactId: string, { content, quoted, file }: Writing) => {
      const id = newMessageId()
      if (file) uploads.keep(id, file.bytes)
      void deliver({
        id,
        contactId,
        content,
        writtenAt: new Date().toISOString(),
        state: 'sending',
        failure: null,
        quoted: quoted ? { id: quoted.id, content: quoted.content, sender: quoted.sender } : null,
        media: file?.media ?? null,
      })
    },
    [deliver, uploads],
  )

  /** Only where the server does not have it; stops its upload. */
  const discard = useCallback(
    (id: string) => {
      setOutgoing((all) => outgoingAfter(all, { type: 'sendDiscarded', messageId: id }))
      uploads.release([id])
    },
    [setOutgoing, uploads],
  )

  /** Local data of the message is reused. */
  const retry = useCallback(
    (message: Message) =>
      void deliver(store.get(outgoingAtom).find(({ id }) => id === message.id) ?? asOutgoing(message)),
    [deliver, store],
  )

  /**
   * Resends what a reload, a session's end or a closed tab interrupted; ids make it idempotent. Files not uploaded are lost; other users'
   * messages are removed.
   */
  const resume = useCallback(() => {
    if (store.get(outgoingAtom).some((one) => one.owner !== account))
      setOutgoing((all) => all.filter((one) => one.owner === account))
    for (const message of store.get(outgoingAtom)) {
      if (message.state !== 'sending' || store.get(underWayAtom).has(message.id)) continue
      if (!isUploading(message) || uploads.has(message.id)) void deliver(message)
      else
        setOutgoing((all) =>
          all.map((one) => (one.id === message.id ? { ...one, state: 'failed', failure: fileLost } : one)),
        )
    }
  }, [deliver, account, setOutgoing, store, uploads])

  return { send, retry, discard, resume }
}
