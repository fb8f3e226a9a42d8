import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { call } from '../lib/call.ts'
import { becomeUser } from '../lib/current-user.ts'
import { sentenceOf } from '../lib/http.ts'
import { paths } from '../lib/paths.ts'
import { forgetPersonalStorage } from '../lib/personal-storage.ts'
import { useToast } from '../lib/toast.tsx'

const redirectMs = 1000

/** Signs out: toast, everything read is forgotten, and one second later the login screen. */
export const useLogout = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  return useMutation({
    mutationFn: () => call('POST /api/auth/logout'),
    onSuccess: () => {
      // Now, and once more with the user: the browser may be closed, or written in, before the second is over.
      forgetPersonalStorage()
      toast({ title: 'Logout realizado', description: 'Você foi desconectado com sucesso.', kind: 'success' })
      // Not tied to this component: the server closes the line at once, and the signed-in screens may go before the second is over.
      setTimeout(() => {
        navigate(paths.login)
        becomeUser(queries, null)
      }, redirectMs)
    },
    onError: (error) =>
      toast({ title: 'Erro no logout', description: sentenceOf(error, 'Erro ao fazer logout.'), kind: 'error' }),
  })
}
