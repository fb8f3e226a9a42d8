import type {
  ChangePasswordBody,
  ConfirmEmailBody,
  ForgotPasswordBody,
  LoginBody,
  RegisterBody,
  ResetPasswordBody,
  User,
} from '@prosa/contracts/http/auth'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { becomeUser, currentUserQuery } from '../../lib/current-user.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useToast } from '../../lib/toast.tsx'
import { usageQuery } from '../../lib/usage.ts'

export const trialUsed = 'O período de teste deste e-mail já foi usado.'

/** The two registration screens differ (specification, 8). */
export type RegistrationWords = {
  /** `withoutTrial` replaces the description if the e-mail already had its free trial. */
  done: { title: string; description?: string; withoutTrial: string }
  failed: { title: string; fallback: string }
}

/** The cookie is set even if the user cannot be read (undefined): an error would make people register twice. */
const userAfter = async (signIn: Promise<unknown>): Promise<User | undefined> => {
  await signIn
  try {
    return await call('GET /api/auth/user')
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) throw error
  }
}

const useEnter = () => {
  const queries = useQueryClient()
  return (user: User | undefined) => becomeUser(queries, user)
}

export const useLogin = () => {
  const enter = useEnter()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: LoginBody) => userAfter(call('POST /api/auth/login', { body })),
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

export const useRegister = ({ done, failed }: RegistrationWords) => {
  const enter = useEnter()
  const toast = useToast()
  return useMutation({
    mutationFn: async (body: RegisterBody) => {
      const registered = call('POST /api/auth/register', { body })
      const user = await userAfter(registered)
      return { user, hasTrial: (await registered).hasTrial }
    },
    onSuccess: ({ user, hasTrial }) => {
      const { withoutTrial, ...words } = done
      toast({ ...words, ...(!hasTrial && { description: withoutTrial }), kind: 'success' })
      enter(user)
    },
    onError: (error) => toast({ title: failed.title, description: sentenceOf(error, failed.fallback), kind: 'error' }),
  })
}

/** Outside production, which sends no mail, the reply holds the link: `onLink`. */
export const useForgotPassword = ({ onLink, onSent }: { onLink: (link: URL) => void; onSent: () => void }) => {
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ForgotPasswordBody) => call('POST /api/auth/forgot-password', { body }),
    onSuccess: ({ resetLink }) => {
      if (resetLink) return onLink(new URL(resetLink))
      toast({ title: 'Link enviado!', description: 'Verifique seu email para redefinir sua senha.', kind: 'success' })
      onSent()
    },
    onError: (error) =>
      toast({ title: 'Erro', description: sentenceOf(error, 'Erro ao enviar email de recuperação.'), kind: 'error' }),
  })
}

/** Signs nobody in. */
export const useResetPassword = () => {
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ResetPasswordBody) => call('POST /api/auth/reset-password', { body }),
    onSuccess: () => toast({ title: 'Senha redefinida!', kind: 'success' }),
    onError: (error) =>
      toast({ title: 'Erro', description: sentenceOf(error, 'Erro ao redefinir senha.'), kind: 'error' }),
  })
}

export const useConfirmEmail = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ConfirmEmailBody) => call('POST /api/auth/confirm-email', { body }),
    onSettled: () =>
      Promise.all([currentUserQuery, usageQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey }))),
  })
}

/** Replaces a password that an administrator set. */
export const useReplacePassword = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ChangePasswordBody) => call('PUT /api/auth/password', { body }),
    onSuccess: async () => {
      toast({ title: 'Senha trocada', description: 'Sua nova senha já vale.', kind: 'success' })
      await queries.invalidateQueries(currentUserQuery)
    },
    onError: (error) =>
      toast({ title: 'Erro', description: sentenceOf(error, 'Não foi possível trocar a senha.'), kind: 'error' }),
  })
}

/** For screens outside the shell. */
export const useLeave = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: () => call('POST /api/auth/logout'),
    onSuccess: () => becomeUser(queries, null),
    onError: (error) =>
      toast({ title: 'Erro no logout', description: sentenceOf(error, 'Erro ao fazer logout.'), kind: 'error' }),
  })
}
