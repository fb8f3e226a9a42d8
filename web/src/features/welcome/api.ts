import type {
  ChangePasswordBody,
  ConfirmEmailBody,
  ForgotPasswordBody,
  LoginBody,
  RegisterBody,
  ResetPasswordBody,
  User,
} from '@prosa/contracts/http/accounts/auth'
import { call } from '../../lib/call.ts'
import { becomeUser, currentUserQuery } from '../../lib/current-user.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { usageQuery } from '../../lib/usage.ts'
import { useCommand } from '../../lib/use-command.ts'

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

export const useLogin = () =>
  useCommand({
    run: (body: LoginBody) => userAfter(call('POST /api/auth/login', { body })),
    apply: (queries, user) => becomeUser(queries, user),
    done: { title: 'Sucesso!', description: 'Login realizado com sucesso.' },
    failed: (error) => ({ title: 'Erro no login', description: sentenceOf(error, 'Verifique suas credenciais.') }),
  })

export const useRegister = ({ done: { withoutTrial, ...done }, failed }: RegistrationWords) =>
  useCommand({
    run: async (body: RegisterBody) => {
      const registered = call('POST /api/auth/register', { body })
      const user = await userAfter(registered)
      return { user, hasTrial: (await registered).hasTrial }
    },
    apply: (queries, { user }) => becomeUser(queries, user),
    done: ({ hasTrial }) => (hasTrial ? done : { ...done, description: withoutTrial }),
    failed: (error) => ({ title: failed.title, description: sentenceOf(error, failed.fallback) }),
  })

/** Outside production, which sends no mail, the reply holds the link: `onLink`. */
export const useForgotPassword = ({ onLink, onSent }: { onLink: (link: URL) => void; onSent: () => void }) =>
  useCommand({
    run: (body: ForgotPasswordBody) => call('POST /api/auth/forgot-password', { body }),
    apply: (_queries, { resetLink }) => (resetLink ? onLink(new URL(resetLink)) : onSent()),
    done: ({ resetLink }) =>
      resetLink ? null : { title: 'Link enviado!', description: 'Verifique seu email para redefinir sua senha.' },
    failed: (error) => sentenceOf(error, 'Erro ao enviar email de recuperação.'),
  })

/** Signs nobody in. */
export const useResetPassword = () =>
  useCommand({
    run: (body: ResetPasswordBody) => call('POST /api/auth/reset-password', { body }),
    done: { title: 'Senha redefinida!' },
    failed: (error) => sentenceOf(error, 'Erro ao redefinir senha.'),
  })

export const useConfirmEmail = () =>
  useCommand({
    run: (body: ConfirmEmailBody) => call('POST /api/auth/confirm-email', { body }),
    rereads: [currentUserQuery.queryKey, usageQuery.queryKey],
  })

/** Replaces a password that an administrator set. */
export const useReplacePassword = () =>
  useCommand({
    run: (body: ChangePasswordBody) => call('PUT /api/auth/password', { body }),
    done: { title: 'Senha trocada', description: 'Sua nova senha já vale.' },
    failed: (error) => sentenceOf(error, 'Não foi possível trocar a senha.'),
    rereads: [currentUserQuery.queryKey],
  })

/** For screens outside the shell. */
export const useLeave = () =>
  useCommand({
    run: () => call('POST /api/auth/logout'),
    apply: (queries) => becomeUser(queries, null),
    failed: (error) => ({ title: 'Erro no logout', description: sentenceOf(error, 'Erro ao fazer logout.') }),
  })
