import type { LoginBody, RegisterBody, User } from '@prosa/contracts/http/auth'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { becomeUser } from '../../lib/current-user.ts'
import { request, sentenceOf } from '../../lib/http.ts'
import { useToast } from '../../lib/toast.tsx'

/** What a screen says when a registration went well or not (specification, 8: the two screens differ). */
export type RegistrationWords = {
  done: { title: string; description?: string }
  failed: { title: string; fallback: string }
}

/** The reply brings the session's cookie; who that is, the read model says. */
const signIn = async (path: string, body: LoginBody | RegisterBody): Promise<User> => {
  await request('POST', path, body)
  return request<User>('GET', '/api/auth/user')
}

const useEnter = () => {
  const queries = useQueryClient()
  return (user: User) => becomeUser(queries, user)
}

/** POST /api/auth/login; on success the signed-in screens take over. */
export const useLogin = () => {
  const enter = useEnter()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: LoginBody) => signIn('/api/auth/login', body),
    onSuccess: (user) => {
      toast({ title: 'Sucesso!', description: 'Login realizado com sucesso.', kind: 'success' })
      enter(user)
    },
    onError: (error) =>
      toast({
        title: 'Erro no login',
        description: sentenceOf(error, 'Verifique suas credenciais.'),
        kind: 'error',
      }),
  })
}

/** POST /api/auth/register; the reply signs in. */
export const useRegister = ({ done, failed }: RegistrationWords) => {
  const enter = useEnter()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: RegisterBody) => signIn('/api/auth/register', body),
    onSuccess: (user) => {
      toast({ ...done, kind: 'success' })
      enter(user)
    },
    onError: (error) => toast({ title: failed.title, description: sentenceOf(error, failed.fallback), kind: 'error' }),
  })
}
