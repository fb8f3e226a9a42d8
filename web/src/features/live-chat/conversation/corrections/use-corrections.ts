import type { Message } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { useCallback, useMemo } from 'react'
import { ApiProblem, sentenceOf } from '../../../../lib/http/http.ts'
import { useToast } from '../../../../lib/toast.ts'
import { deleteMessage, editMessage, keys } from '../../api.ts'
import { editingAtom, ownChangesAtom } from '../../atoms.ts'

type Correction = NonNullable<Message['correction']>

/** Optimistic. After a failure an edit's text returns to the composer. `renew` refetches the message. */
export const useCorrections = (contactId: string, renew?: (messageId: string) => Promise<void>) => {
  const client = useQueryClient()
  const toast = useToast()
  const changed = useSetAtom(ownChangesAtom)
  const setEditing = useSetAtom(editingAtom)

  const ask = useCallback(
    async (
      { id }: Message,
      correction: Correction,
      request: () => Promise<unknown>,
      failed: (why: unknown) => void,
    ) => {
      changed({ type: 'correctionAsked', messageId: id, correction })
      try {
        await request()
        await (renew?.(id) ?? client.invalidateQueries({ queryKey: keys.history(contactId) }))
      } catch (error) {
        failed(error)
      }
      changed({ type: 'correctionSettled', messageId: id, correction })
    },
    [client, contactId, renew, changed],
  )

  const edit = useCallback(
    (message: Message, text: string) =>
      ask(
        message,
        { kind: 'edit', content: text, failure: null },
        () => editMessage(contactId, message.id, text),
        (error) => {
          toast({
            kind: 'error',
            title: 'A mensagem não foi editada',
            description: sentenceOf(error, 'O texto continua aqui. Tente de novo.'),
          })
          const isRefused = error instanceof ApiProblem && error.status >= 400 && error.status < 500
          if (!isRefused) setEditing((all) => ({ [contactId]: { message, text }, ...all }))
        },
      ),
    [ask, contactId, setEditing, toast],
  )

  const remove = useCallback(
    (message: Message) =>
      ask(
        message,
        { kind: 'deletion', content: null, failure: null },
        () => deleteMessage(contactId, message.id),
        (error) =>
          toast({
            kind: 'error',
            title: 'A mensagem não foi apagada',
            description: sentenceOf(error, 'Tente de novo.'),
          }),
      ),
    [ask, contactId, toast],
  )

  return useMemo(() => ({ edit, remove }), [edit, remove])
}
