import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { call } from '../lib/call.ts'
import { becomeUser } from '../lib/current-user.ts'
import { sentenceOf } from '../lib/http.ts'
import { paths } from '../lib/paths.ts'
import { forgetPersonalStorage } from '../lib/personal-storage.ts'
import { useToast } from '../lib/toast.tsx'

const redirectMs = 1000

export const useLogout = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  return useMutation({
    mutationFn: () => call('POST /api/auth/logout'),
    onSuccess: () => {
      // Now, and again with the user: within that second the browser may close or store more.
      forgetPersonalStorage()
      toast({ title: 'Logout realizado', description: 'Você foi desconectado com sucesso.', kind: 'success' })
      // Outlives this component: the server closes the socket at once, which may unmount the signed-in screens.
      setTimeout(() => {
        navigate(paths.login)
        becomeUser(queries, null)
      }, redirectMs)
    },
    onError: (error) =>
      toast({ title: 'Erro no logout', description: sentenceOf(error, 'Erro ao fazer logout.'), kind: 'error' }),
  })
}
