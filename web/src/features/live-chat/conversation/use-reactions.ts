import type { Message } from '@prosa/contracts/http/live-chat'
import { useAtom } from 'jotai'
import { useCallback, useMemo } from 'react'
import { sentenceOf } from '../../../lib/http/http.ts'
import { useToast } from '../../../lib/toast.ts'
import { react } from '../api.ts'
import { reactingAtom } from '../atoms.ts'

export const withReacting = (messages: Message[], reacting: Record<string, string | null>): Message[] => {
  if (Object.keys(reacting).length === 0) return messages
  return messages.map((message) => {
    const emoji = reacting[message.id]
    if (emoji === undefined) return message
    const theirs = message.reactions.filter(({ sender }) => sender === 'contact')
    return { ...message, reactions: emoji === null ? theirs : [...theirs, { emoji, sender: 'user' as const }] }
  })
}

/** Optimistic; reverted on refusal. `renew` refetches the message. */
export const useReactions = (contactId: string, renew: (messageId: string) => Promise<void>) => {
  const toast = useToast()
  const [reacting, setReacting] = useAtom(reactingAtom)

  const onReact = useCallback(
    async ({ id }: Message, emoji: string | null) => {
      setReacting((all) => ({ ...all, [id]: emoji }))
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
      // A newer choice must stay.
      setReacting(({ [id]: latest, ...others }) =>
        latest === emoji || latest === undefined ? others : { ...others, [id]: latest },
      )
    },
    [contactId, renew, setReacting, toast],
  )
  return useMemo(() => ({ reacting, onReact }), [reacting, onReact])
}
