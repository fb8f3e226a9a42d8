import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useCallback, useEffect } from 'react'
import { connectionsQuery, isConnected } from '../../lib/connections.ts'
import { ApiProblem } from '../../lib/http.ts'
import { keys, sendMessage } from './api.ts'
import { outgoingAtom } from './atoms.ts'
import { newMessageId } from './message-id.ts'
import type { Outgoing } from './outgoing.ts'

const noConnection = 'Nenhuma conexão WhatsApp ativa encontrada'
const notConnected = 'WhatsApp não está conectado'

/** The sentence of the specification, 8, for a message that was not accepted. */
export const sendFailure = (error: unknown): string => {
  const title = error instanceof ApiProblem ? error.title : ''
  if (title.includes(noConnection)) return noConnection
  return title.includes(notConnected)
    ? `${notConnected}. Por favor, conecte sua conta do WhatsApp em Configurações antes de enviar mensagens.`
    : 'Erro ao enviar mensagem. Tente novamente.'
}

/**
 * Sends messages, one after the other within a conversation, whichever conversation is in view. While the browser is
 * offline they wait. `retry` repeats the request with the same id.
 */
export const useOutbox = () => {
  const client = useQueryClient()
  const store = useStore()
  const setOutgoing = useSetAtom(outgoingAtom)

  const deliver = useCallback(
    async (message: Outgoing) => {
      const place = (state: Outgoing['state'], failure: string | null) =>
        setOutgoing((all) => {
          const placed = { ...message, state, failure }
          return all.some(({ id }) => id === message.id)
            ? all.map((one) => (one.id === message.id ? placed : one))
            : [...all, placed]
        })
      place('sending', null)
      const mutation = client.getMutationCache().build(client, {
        networkMode: 'online',
        scope: { id: `send to ${message.contactId}` },
        mutationFn: async () => {
          const connection = (await client.ensureQueryData(connectionsQuery)).find(isConnected)
          if (!connection) throw new ApiProblem(0, 'no_connection', noConnection)
          return sendMessage({
            connectionId: connection.id,
            contactId: message.contactId,
            message: message.content,
            messageId: message.id,
          })
        },
        onSuccess: () => place('accepted', null),
        onError: (error) => place('failed', sendFailure(error)),
        onSettled: () =>
          Promise.all([
            client.invalidateQueries({ queryKey: keys.history(message.contactId) }),
            client.invalidateQueries({ queryKey: keys.lists }),
          ]),
      })
      await mutation.execute(undefined).catch(() => undefined)
    },
    [client, setOutgoing],
  )

  const send = useCallback(
    (contactId: string, content: string) =>
      void deliver({
        id: newMessageId(),
        contactId,
        content,
        writtenAt: new Date().toISOString(),
        state: 'sending',
        failure: null,
      }),
    [deliver],
  )

  const retry = useCallback((message: Outgoing) => void deliver(message), [deliver])

  /** Repeats what a reload of the page interrupted; the same ids keep that harmless. */
  const resume = useCallback(() => {
    for (const message of store.get(outgoingAtom)) if (message.state === 'sending') void deliver(message)
  }, [deliver, store])

  return { send, retry, resume }
}

/** Once, when live chat is opened: takes up what was on its way. */
export const useResumeOutbox = (): void => {
  const { resume } = useOutbox()
  // Read before the effect below, so that what the browser kept is there when it runs.
  useAtomValue(outgoingAtom)
  useEffect(resume, [resume])
}
