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

export const useSaveProfile = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ProfileBody) => call('PUT /api/auth/user', { body }),
    onSuccess: async () => {
      // The change is saved, even if the next read fails.
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

/** Uploads of 5 MB over a slow line take longer than other commands. */
const photoTimeoutMs = 180_000

/** Raw bytes: base64 in JSON would add a third. */
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

export const useChangePhoto = () => usePhotoChange(sendPhoto, 'Sua foto foi trocada.')

export const useRemovePhoto = () => usePhotoChange<void>(() => call('DELETE /api/auth/photo'), 'Sua foto foi removida.')

/** Signs out the user's other browsers. */
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

/** Signs out; the landing page shows a notice. */
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
