import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../../lib/http.ts'
import { useToast } from '../../lib/toast.tsx'
import { changeStatus } from './api.ts'

interface Changed {
  contactId: string
  status: 'attending' | 'resolved'
  /** Nothing else has been given the focus since. */
  isFocusFree: boolean
}

/** 'Aceitar' and 'Finalizar' of one conversation; `onChanged` runs when the server has it. */
export const useConversationActions = (contactId: string | null, onChanged: (changed: Changed) => void) => {
  const toast = useToast()
  const { mutate, isPending, variables } = useMutation({
    ...changeStatus,
    onError: (error, { status }) =>
      toast({
        kind: 'error',
        title: status === 'attending' ? 'A conversa não foi aceita' : 'A conversa não foi finalizada',
        description: sentenceOf(error, 'Nada mudou. Tente novamente.'),
      }),
  })
  const change = (status: 'attending' | 'resolved') => {
    if (contactId === null) return
    const focused = document.activeElement
    const isFocusFree = () => document.activeElement === focused || document.activeElement === document.body
    mutate({ contactId, status }, { onSuccess: () => onChanged({ contactId, status, isFocusFree: isFocusFree() }) })
  }

  return {
    isPending: isPending && variables.contactId === contactId,
    accept: () => change('attending'),
    resolve: () => change('resolved'),
  }
}

export type ConversationActions = ReturnType<typeof useConversationActions>
