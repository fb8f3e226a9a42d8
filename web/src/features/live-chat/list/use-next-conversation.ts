import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { useSearchParams } from 'react-router-dom'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { longestWaiting } from '../api.ts'
import { labelIn } from '../labels/label-address.ts'

/** Opens the conversation that has waited longest of those that the list is filtered to, other than the one in view. */
export const useNextConversation = (
  selectedId: string | null,
  openInTab: (contactId: string, status: ServiceStatus) => void,
) => {
  const toast = useToast()
  const [parameters] = useSearchParams()
  const label = labelIn(parameters)
  return async () => {
    try {
      const { contact: next } = await longestWaiting(selectedId, label)
      if (!next) return toast({ kind: 'info', title: `Ninguém mais aguarda${label ? ' com esta etiqueta' : ''}` })
      openInTab(next.id, 'waiting')
    } catch (error) {
      toast({
        kind: 'error',
        title: 'A próxima conversa não pôde ser aberta',
        description: sentenceOf(error, 'Tente de novo em instantes.'),
      })
    }
  }
}
