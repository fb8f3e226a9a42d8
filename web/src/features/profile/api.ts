import type { ChangePasswordBody, EraseAccountBody, ProfileBody } from '@prosa/contracts/http/accounts/auth'
import { positionHeader } from '@prosa/contracts/http/problem'
import type { QueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { accountErased, erasingAccount } from '../../lib/account-erased.ts'
import { addressOf, call } from '../../lib/call.ts'
import { becomeUser, currentUserQuery } from '../../lib/current-user.ts'
import { notePosition, offline, problemIn, sentenceOf } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import { useCommand } from '../../lib/use-command.ts'

const readUserAgain = (queries: QueryClient) => queries.invalidateQueries(currentUserQuery)

export const useSaveProfile = () =>
  useCommand({
    run: (body: ProfileBody) => call('PUT /api/auth/user', { body }),
    apply: readUserAgain,
    done: { title: 'Perfil atualizado', description: 'Suas informações foram atualizadas com sucesso.' },
    failed: (error) => sentenceOf(error, 'Erro ao atualizar perfil.'),
  })

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
  notePosition(response.headers.get(positionHeader))
  if (!response.ok) throw problemIn(response.status, await response.json().catch(() => undefined))
}

const usePhotoChange = <Input>(run: (input: Input) => Promise<unknown>, done: string) =>
  useCommand({ run, apply: readUserAgain, done: { title: 'Perfil atualizado', description: done } })

export const useChangePhoto = () => usePhotoChange(sendPhoto, 'Sua foto foi trocada.')

export const useRemovePhoto = () => usePhotoChange<void>(() => call('DELETE /api/auth/photo'), 'Sua foto foi removida.')

/** Signs out the user's other browsers. */
export const useChangePassword = () =>
  useCommand({
    run: (body: ChangePasswordBody) => call('PUT /api/auth/password', { body }),
    done: {
      title: 'Senha trocada',
      description: 'Sua conta saiu dos outros aparelhos. Neste você continua conectado.',
    },
    failed: (error) => sentenceOf(error, 'Não foi possível trocar a senha.'),
  })

/** Signs out; the landing page shows a notice. */
export const useEraseAccount = () => {
  const navigate = useNavigate()
  return useCommand({
    key: erasingAccount,
    run: (body: EraseAccountBody) => call('POST /api/auth/erase-account', { body }),
    apply: (queries) => {
      navigate(paths.home, { replace: true, state: accountErased })
      becomeUser(queries, null)
    },
  })
}
