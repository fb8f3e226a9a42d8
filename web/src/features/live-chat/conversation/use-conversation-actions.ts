import { useToast } from '../../../lib/toast.ts'
import { useChangeStatus, useReopen } from '../api.ts'

interface Changed {
  contactId: string
  status: 'attending' | 'resolved'
  /** Nothing else got the focus meanwhile. */
  isFocusFree: boolean
}

/** `onChanged` runs after the server's reply. 'Finalizar' can be undone while its toast is shown, on any screen. */
export const useConversationActions = (contactId: string | null, onChanged: (changed: Changed) => void) => {
  const toast = useToast()
  const { mutate, isPending, variables } = useChangeStatus()
  const reopening = useReopen()

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
