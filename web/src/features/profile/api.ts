import type { ChangePasswordBody, EraseAccountBody, ProfileBody } from '@prosa/contracts/http/auth'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { accountErased, erasingAccount } from '../../lib/account-erased.ts'
import { call } from '../../lib/call.ts'
import { becomeUser, currentUserQuery } from '../../lib/current-user.ts'
import { sentenceOf } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import { useToast } from '../../lib/toast.tsx'

/** PUT /api/auth/user; afterwards the user is read again, and every screen shows the new name. */
export const useSaveProfile = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ProfileBody) => call('PUT /api/auth/user', { body }),
    onSuccess: async () => {
      // It is saved, whether or not it can be read again at the moment.
      await queries.invalidateQueries(currentUserQuery)
      toast({
        title: 'Perfil atualizado',
        description: 'Suas informações foram atualizadas com sucesso.',
        kind: 'success',
      })
    },
    onError: (error) =>
      toast({ title: 'Erro', description: sentenceOf(error, 'Erro ao atualizar perfil.'), kind: 'error' }),
  })
}

/** PUT /api/auth/password; every other browser of the user is signed out. */
export const useChangePassword = () => {
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ChangePasswordBody) => call('PUT /api/auth/password', { body }),
    onSuccess: () =>
      toast({
        title: 'Senha trocada',
        description: 'Sua conta saiu dos outros aparelhos. Neste você continua conectado.',
        kind: 'success',
      }),
    onError: (error) =>
      toast({ title: 'Erro', description: sentenceOf(error, 'Não foi possível trocar a senha.'), kind: 'error' }),
  })
}

/** POST /api/auth/erase-account; afterwards nobody is signed in, and the landing page says what was done. */
export const useEraseAccount = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationKey: erasingAccount,
    mutationFn: (body: EraseAccountBody) => call('POST /api/auth/erase-account', { body }),
    onSuccess: () => {
      navigate(paths.home, { replace: true, state: accountErased })
      becomeUser(queries, null)
    },
  })
}
