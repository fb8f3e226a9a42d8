import type { Message } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useCallback, useEffect, useState } from 'react'
import { connectionsQuery, connectionToWriteFrom } from '../../lib/connections.ts'
import { currentUserQuery } from '../../lib/current-user.ts'
import { ApiProblem } from '../../lib/http.ts'
import { ownerOfPersonalStorage } from '../../lib/personal-storage.ts'
import { useLine } from '../../lib/socket.tsx'
import { uploadFile } from '../../lib/upload.ts'
import { keys, sendMessage } from './api.ts'
import { attachmentsAtom, keptRecordingsAtom, outgoingAtom, underWayAtom } from './atoms.ts'
import { newMessageId } from './message-id.ts'
import { asOutgoing, isUploading, type Outgoing, requestOf } from './outgoing.ts'
import { useUploads } from './use-uploads.ts'

const noConnection = 'Nenhuma conexão WhatsApp ativa encontrada'
const notConnected = 'WhatsApp não está conectado'
const fileLost = 'O arquivo não chegou a sair antes de a página fechar. Anexe-o de novo.'

/** The sentence of the specification, 8, for a message that was not accepted; of a refused file, why, and how long to wait. */
export const sendFailure = (error: unknown): string => {
  const { status, type, title } = error instanceof ApiProblem ? error : { status: 0, type: '', title: '' }
  if (title.includes(noConnection)) return noConnection
  if (type.startsWith('media_') || status === 429) return title
  return title.includes(notConnected)
    ? `${notConnected}. Por favor, conecte sua conta do WhatsApp em Configurações antes de enviar mensagens.`
    : 'Erro ao enviar mensagem. Tente novamente.'
}

/** The session ended meanwhile: nothing was wrong with the message, which waits until its writer has signed in again. */
const isSessionOver = (error: unknown) => error instanceof ApiProblem && error.status === 401

/** What is written to a contact: a text, or a file with a caption. */
export interface Writing {
  content: string
  quoted?: Message | null
  /** The bytes and what is told of them. */
  file?: { bytes: Blob; media: NonNullable<Outgoing['media']> }
}

/**
 * Sends messages, one after the other within a conversation, whichever conversation is in view; files are taken to the server
 * first, one at a time, and hold up no text. While the browser is offline all wait. `retry` repeats with the same id.
 */
export const useOutbox = () => {
  const client = useQueryClient()
  const store = useStore()
  const setOutgoing = useSetAtom(outgoingAtom)
  const uploads = useUploads()

  const inTurn = useCallback(
    <T>(scope: string, work: () => Promise<T>): Promise<T> =>
      client
        .getMutationCache()
        .build(client, { networkMode: 'online', scope: { id: scope }, mutationFn: work })
        .execute(undefined),
    [client],
  )

  const userId = useCallback(() => client.getQueryData(currentUserQuery.queryKey)?.id, [client])
  const [owner] = useState(userId)
  /** Who wrote it is signed in, or has to sign in again and did not sign out. */
  const isStillOwners = useCallback(() => {
    const now = userId()
    return now === owner || (now === undefined && owner !== undefined && ownerOfPersonalStorage() === owner)
  }, [owner, userId])

  const deliver = useCallback(
    async (message: Outgoing) => {
      const { id, media } = message
      const underWay = store.get(underWayAtom)
      if (!isStillOwners() || underWay.has(id)) return
      underWay.add(id)
      // Nothing once the person gave it up, when its bubble is gone already, or signed out: what they wrote is nobody else's.
      const wanted = () => (isStillOwners() ? store.get(outgoingAtom).find((one) => one.id === id) : undefined)
      const change = (changed: Partial<Outgoing>) => {
        if (wanted()) setOutgoing((all) => all.map((one) => (one.id === id ? { ...one, ...changed } : one)))
      }
      setOutgoing((all) => [
        ...all.filter((one) => one.id !== id),
        { ...message, owner, state: 'sending', failure: null },
      ])
      const stop = client.getQueryCache().subscribe(() => {
        if (!wanted()) uploads.release([id])
      })

      try {
        if (media?.uploadedId === null) {
          const accepted = await inTurn('uploads', () => uploads.send(id, uploadFile))
          change({ media: { ...media, uploadedId: accepted.id } })
        }
        await inTurn(`send to ${message.contactId}`, async () => {
          const connection = connectionToWriteFrom(await client.ensureQueryData(connectionsQuery))
          const current = wanted()
          if (!current) return
          if (!connection) throw new ApiProblem(0, 'no_connection', noConnection)
          await sendMessage(requestOf(current, connection.id))
        })
        change({ state: 'accepted' })
      } catch (error) {
        if (!isSessionOver(error)) change({ state: 'failed', failure: sendFailure(error) })
      }
      stop()
      underWay.delete(id)
      const current = wanted()
      if (!current) return
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.history(current.contactId) }),
        client.invalidateQueries({ queryKey: keys.lists }),
        // An answer accepts.
        client.invalidateQueries({ queryKey: keys.counts }),
        client.invalidateQueries({ queryKey: keys.contact(current.contactId) }),
      ])
    },
    [client, inTurn, isStillOwners, owner, setOutgoing, store, uploads],
  )

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

/**
 * On every screen: takes up what is not sent, at first and whenever the line is back. The browser asks before the page closes
 * while something would be lost with it, or would wait until Prosa is opened again.
 */
export const useResumeOutbox = (): void => {
  const { resume } = useOutbox()
  // Read before the effect below, so that what the browser kept is there when it runs.
  const isSending = useAtomValue(outgoingAtom).some(({ state }) => state === 'sending')
  const isAttached = Object.keys(useAtomValue(attachmentsAtom)).length > 0
  const isRecorded = Object.keys(useAtomValue(keptRecordingsAtom)).length > 0
  const store = useStore()
  const isUp = useLine() === 'online'
  useEffect(() => {
    if (isUp) resume()
  }, [isUp, resume])

  useEffect(() => {
    if (!isSending && !isAttached && !isRecorded) return
    const ask = (event: BeforeUnloadEvent) => {
      const isWaiting = !navigator.onLine && isSending
      if (isAttached || isRecorded || isWaiting || store.get(outgoingAtom).some(isUploading)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAttached, isRecorded, isSending, store])
}
