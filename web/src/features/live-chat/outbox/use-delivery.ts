import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSetAtom, useStore } from 'jotai'
import { useCallback, useState } from 'react'
import { currentUserQuery } from '../../../lib/account/current-user.ts'
import { accountOfPersonalStorage } from '../../../lib/browser/personal-storage.ts'
import { ApiProblem } from '../../../lib/http/http.ts'
import { uploadFile } from '../../../lib/http/upload.ts'
import { keys, sendMessage } from '../api.ts'
import { outgoingAtom, underWayAtom } from '../atoms.ts'
import { outgoingAfter } from '../conversation-state.ts'
import { type Outgoing, requestOf, writtenBefore } from './outgoing.ts'
import { sendFailure } from './send-failure.ts'
import { meaningOf, untilAnswered } from './until-answered.ts'
import { useUploads } from './use-uploads.ts'

/** Serial within a scope, and only while the browser is online. */
const inTurn = <T>(client: QueryClient, scope: string, work: () => Promise<T>): Promise<T> =>
  client
    .getMutationCache()
    .build(client, { networkMode: 'online', scope: { id: scope }, mutationFn: work })
    .execute(undefined)

const readAccepted = (client: QueryClient, contactId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.history(contactId) }),
    client.invalidateQueries({ queryKey: keys.lists }),
    // An answer accepts the conversation.
    client.invalidateQueries({ queryKey: keys.counts }),
    client.invalidateQueries({ queryKey: keys.contact(contactId) }),
  ])

/** The account survives the end of a session, but not a sign-out. */
const useAccount = () => {
  const client = useQueryClient()
  const userId = useCallback(() => client.getQueryData(currentUserQuery.queryKey)?.id, [client])
  const [account] = useState(userId)
  const isStillSame = useCallback(() => {
    const now = userId()
    return now === account || (now === undefined && account !== undefined && accountOfPersonalStorage() === account)
  }, [account, userId])
  /** The session ended and the account has not signed in again. */
  const isSignedOut = useCallback(() => account !== undefined && userId() === undefined, [account, userId])
  return { account, isStillSame, isSignedOut }
}

const signedOut = () => new ApiProblem(401, 'not_signed_in', 'Entre na sua conta para continuar.')

/** Uploads the file, then sends; idempotent by id. Waits while the server is away; later messages to the contact wait behind it. */
export const useDelivery = () => {
  const client = useQueryClient()
  const store = useStore()
  const setOutgoing = useSetAtom(outgoingAtom)
  const uploads = useUploads()
  const { account, isStillSame, isSignedOut } = useAccount()

  const deliver = useCallback(
    async (message: Outgoing) => {
      const { id, media } = message
      const underWay = store.get(underWayAtom)
      if (!isStillSame() || underWay.has(id)) return
      underWay.add(id)
      // Undefined once discarded or signed out.
      const wanted = () => (isStillSame() ? store.get(outgoingAtom).find((one) => one.id === id) : undefined)
      const change = (changed: Partial<Outgoing>) => {
        if (wanted()) setOutgoing((all) => outgoingAfter(all, { type: 'sendChanged', messageId: id, change: changed }))
      }
      const asked = { ...message, owner: account, state: 'sending' as const, failure: null }
      setOutgoing((all) => outgoingAfter(all, { type: 'sendAsked', message: asked }))
      // Sent by another tab, or left when the session ended.
      for (const earlier of writtenBefore(store.get(outgoingAtom), message)) void deliver(earlier)
      const stop = client.getQueryCache().subscribe(() => {
        if (!wanted()) uploads.release([id])
      })

      const isWanted = () => wanted() !== undefined
      const send = async () => {
        // Earlier messages wait for the sign-in too: keep the order.
        if (isSignedOut()) throw signedOut()
        const current = wanted()
        if (current) await sendMessage(requestOf(current))
      }
      try {
        if (media?.uploadedId === null) {
          const upload = () => uploads.send(id, uploadFile)
          const conditions = { isWanted, silenceIsUnclear: true }
          const accepted = await inTurn(client, 'uploads', () => untilAnswered(upload, conditions))
          change({ media: { ...media, uploadedId: accepted.id } })
        }
        await inTurn(client, `send to ${message.contactId}`, () => untilAnswered(send, { isWanted }))
        change({ state: 'accepted' })
      } catch (error) {
        if (meaningOf(error) !== 'signed out') change({ state: 'failed', failure: sendFailure(error) })
      }
      stop()
      underWay.delete(id)
      const current = wanted()
      if (current) await readAccepted(client, current.contactId)
    },
    [client, isSignedOut, isStillSame, account, setOutgoing, store, uploads],
  )
  return { account, deliver }
}
