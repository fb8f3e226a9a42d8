import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { call } from './call.ts'
import { currentUserQuery } from './current-user.ts'
import { sentenceOf } from './http.ts'
import { useToast } from './toast.tsx'

/** Outside production the reply contains the link, which the browser opens. */
export const useSendConfirmation = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  return useMutation({
    mutationFn: () => call('POST /api/auth/send-confirmation'),
    onSuccess: ({ message, confirmationLink }) => {
      if (confirmationLink) {
        const { pathname, search } = new URL(confirmationLink)
        return navigate(pathname + search)
      }
      toast({ title: 'Confirmação de e-mail', description: message, kind: 'success' })
      // It may have been confirmed on another device.
      void queries.invalidateQueries(currentUserQuery)
    },
    onError: (error) =>
      toast({ title: 'Erro', description: sentenceOf(error, 'O link não foi enviado. Tente de novo.'), kind: 'error' }),
  })
}
