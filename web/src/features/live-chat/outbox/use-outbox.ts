import type { Message } from '@prosa/contracts/http/live-chat'
import { useSetAtom, useStore } from 'jotai'
import { useCallback } from 'react'
import { outgoingAtom, underWayAtom } from '../atoms.ts'
import { newMessageId } from './message-id.ts'
import { asOutgoing, isUploading, type Writing } from './outgoing.ts'
import { fileLost } from './send-failure.ts'
import { useDelivery } from './use-delivery.ts'
import { useUploads } from './use-uploads.ts'

/**
 * Sends messages, one after the other within a conversation, whichever conversation is in view; files are taken to the server
 * first, one at a time, and hold up no text. While the browser is offline all wait. `retry` repeats with the same id.
 */
export const useOutbox = () => {
  const store = useStore()
  const setOutgoing = useSetAtom(outgoingAtom)
  const uploads = useUploads()
  const { owner, deliver } = useDelivery()

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

  /** Forgets a message that the server does not have, and stops what is under way for it. */
  const discard = useCallback(
    (id: string) => {
      setOutgoing((all) => all.filter((one) => one.id !== id))
      uploads.release([id])
    },
    [setOutgoing, uploads],
  )

  /** Sends a failed message once more; what only this page knew of it is still known here. */
  const retry = useCallback(
    (message: Message) =>
      void deliver(store.get(outgoingAtom).find(({ id }) => id === message.id) ?? asOutgoing(message)),
    [deliver, store],
  )

  /**
   * Sends what is not under way: what a reload interrupted, the end of a session, or a tab that was closed; the same ids keep
   * that harmless. A file that was not there yet is lost with its page. What another user wrote is forgotten.
   */
  const resume = useCallback(() => {
    if (store.get(outgoingAtom).some((one) => one.owner !== owner))
      setOutgoing((all) => all.filter((one) => one.owner === owner))
    for (const message of store.get(outgoingAtom)) {
      if (message.state !== 'sending' || store.get(underWayAtom).has(message.id)) continue
      if (!isUploading(message) || uploads.has(message.id)) void deliver(message)
      else
        setOutgoing((all) =>
          all.map((one) => (one.id === message.id ? { ...one, state: 'failed', failure: fileLost } : one)),
        )
    }
  }, [deliver, owner, setOutgoing, store, uploads])

  return { send, retry, discard, resume }
}
