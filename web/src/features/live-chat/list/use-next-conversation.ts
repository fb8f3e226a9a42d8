import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.ts'
import { longestWaiting } from '../api.ts'
import type { ListFilter } from './list-filter.ts'

const withIt = ({ label, line }: ListFilter): string =>
  `${label ? ' com esta etiqueta' : ''}${line ? ' por este número' : ''}`

/** The longest waiting of the filtered, except the one in view. */
export const useNextConversation = (
  selectedId: string | null,
  filter: ListFilter,
  openInTab: (contactId: string, status: ServiceStatus) => void,
) => {
  const toast = useToast()
  return async () => {
    try {
      const { contact: next } = await longestWaiting(selectedId, filter)
      if (!next) return toast({ kind: 'info', title: `Ninguém mais aguarda${withIt(filter)}` })
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
