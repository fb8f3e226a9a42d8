import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { longestWaiting } from '../api.ts'

/** Opens the conversation that has waited longest, other than the one in view. */
export const useNextConversation = (
  selectedId: string | null,
  openInTab: (contactId: string, status: ServiceStatus) => void,
) => {
  const toast = useToast()
  return async () => {
    try {
      const { contact: next } = await longestWaiting(selectedId)
      if (!next) return toast({ kind: 'info', title: 'Ninguém mais aguarda' })
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
