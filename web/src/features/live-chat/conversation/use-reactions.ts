import type { Message } from '@prosa/contracts/http/live-chat'
import { useSetAtom } from 'jotai'
import { useCallback } from 'react'
import { sentenceOf } from '../../../lib/http/http.ts'
import { useToast } from '../../../lib/toast.ts'
import { react } from '../api.ts'
import { ownChangesAtom } from '../atoms.ts'

/** Optimistic; reverted on refusal. `renew` refetches the message. */
export const useReactions = (contactId: string, renew: (messageId: string) => Promise<void>) => {
  const toast = useToast()
  const changed = useSetAtom(ownChangesAtom)

  return useCallback(
    async ({ id }: Message, emoji: string | null) => {
      changed({ type: 'reactionAsked', messageId: id, emoji })
      try {
        await react(contactId, id, emoji)
        await renew(id)
      } catch (error) {
        toast({
          kind: 'error',
          title: 'A reação não foi enviada',
          description: sentenceOf(error, 'Tente novamente.'),
        })
      }
      changed({ type: 'reactionSettled', messageId: id, emoji })
    },
    [contactId, renew, changed, toast],
  )
}
