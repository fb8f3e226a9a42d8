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

/** What a screen says when a registration went well or not (specification, 8: the two screens differ). */
export type RegistrationWords = {
  /** `withoutTrial` takes the place of the description where the address had its free period before. */
  done: { title: string; description?: string; withoutTrial: string }
  failed: { title: string; fallback: string }
}

/**
 * The reply brings the session's cookie; who that is, the read model says. Undefined when that cannot be read at the moment:
 * the session is there all the same, and whoever reads that it failed would register once more.
 */
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

/** POST /api/auth/login; on success the signed-in screens take over. */
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

/** POST /api/auth/register; the reply signs in. */
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

/**
 * POST /api/auth/forgot-password. Outside production, where no mail goes out, the reply holds the link itself: `onLink` gets
 * it. Everywhere else the person is asked to look for mail.
 */
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

/** POST /api/auth/reset-password; nobody is signed in by it. */
export const useResetPassword = () => {
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ResetPasswordBody) => call('POST /api/auth/reset-password', { body }),
    onSuccess: () => toast({ title: 'Senha redefinida!', kind: 'success' }),
    onError: (error) =>
      toast({ title: 'Erro', description: sentenceOf(error, 'Erro ao redefinir senha.'), kind: 'error' }),
  })
}

/** POST /api/auth/confirm-email, on any device; where the user is signed in, every screen knows. */
export const useConfirmEmail = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ConfirmEmailBody) => call('POST /api/auth/confirm-email', { body }),
    onSettled: () =>
      Promise.all([currentUserQuery, usageQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey }))),
  })
}

/** PUT /api/auth/password, instead of one that an administrator set; afterwards all screens are there. */
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

/** POST /api/auth/logout, where no other screen is there yet. */
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
