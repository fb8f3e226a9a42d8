import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { changeStatus, reopen } from '../api.ts'

interface Changed {
  contactId: string
  status: 'attending' | 'resolved'
  /** Nothing else got the focus meanwhile. */
  isFocusFree: boolean
}

/** `onChanged` runs after the server's reply. 'Finalizar' can be undone while its toast is shown, on any screen. */
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
  const reopening = useMutation({
    ...reopen,
    onError: (error) =>
      toast({
        kind: 'error',
        title: 'A conversa continua finalizada',
        description: sentenceOf(error, 'Nada mudou. Tente novamente.'),
      }),
  })

  const followed = (id: string, status: 'attending' | 'resolved') => {
    const focused = document.activeElement
    return () => {
      const isFocusFree = document.activeElement === focused || document.activeElement === document.body
      onChanged({ contactId: id, status, isFocusFree })
    }
  }
  const takeBack = (id: string) => reopening.mutate(id, { onSuccess: followed(id, 'attending') })
  const change = (status: 'attending' | 'resolved') => {
    if (contactId === null) return
    const onSuccess = followed(contactId, status)
    mutate(
      { contactId, status },
      {
        onSuccess: () => {
          onSuccess()
          if (status === 'resolved')
            toast({
              kind: 'success',
              title: 'Conversa finalizada',
              action: { label: 'Desfazer', onPress: () => takeBack(contactId) },
            })
        },
      },
    )
  }

  return {
    isPending:
      (isPending && variables.contactId === contactId) || (reopening.isPending && reopening.variables === contactId),
    accept: () => change('attending'),
    resolve: () => change('resolved'),
    reopen: () => contactId !== null && takeBack(contactId),
  }
}

export type ConversationActions = ReturnType<typeof useConversationActions>
