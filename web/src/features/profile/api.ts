import type { ChangePasswordBody, EraseAccountBody, ProfileBody } from '@prosa/contracts/http/auth'
import { positionHeader } from '@prosa/contracts/http/problem'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { accountErased, erasingAccount } from '../../lib/account-erased.ts'
import { addressOf, call } from '../../lib/call.ts'
import { becomeUser, currentUserQuery } from '../../lib/current-user.ts'
import { offline, problemIn, rememberPosition, sentenceOf } from '../../lib/http.ts'
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

/** Five megabytes over a slow line take longer than other commands. */
const photoTimeoutMs = 180_000

/** The bytes as they are: JSON would make them a third more. */
const sendPhoto = async (photo: Blob): Promise<void> => {
  const response = await fetch(addressOf('PUT /api/auth/photo'), {
    method: 'PUT',
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
    credentials: 'same-origin',
    body: photo,
    signal: AbortSignal.timeout(photoTimeoutMs),
  }).catch(() => {
    throw offline()
  })
  rememberPosition(response.headers.get(positionHeader))
  if (!response.ok) throw problemIn(response.status, await response.json().catch(() => undefined))
}

/** What became of the picture; every screen shows it once the user is read again. */
const usePhotoChange = <Wish>(change: (wish: Wish) => Promise<unknown>, done: string) => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries(currentUserQuery)
      toast({ title: 'Perfil atualizado', description: done, kind: 'success' })
    },
  })
}

/** PUT /api/auth/photo */
export const useChangePhoto = () => usePhotoChange(sendPhoto, 'Sua foto foi trocada.')

/** DELETE /api/auth/photo */
export const useRemovePhoto = () => usePhotoChange<void>(() => call('DELETE /api/auth/photo'), 'Sua foto foi removida.')

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
