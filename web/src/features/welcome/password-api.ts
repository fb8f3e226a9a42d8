import type {
  ChangePasswordBody,
  ConfirmEmailBody,
  ForgotPasswordBody,
  ResetPasswordBody,
} from '@prosa/contracts/http/accounts/auth'
import { becomeUser, currentUserQuery } from '../../lib/account/current-user.ts'
import { usageQuery } from '../../lib/account/usage.ts'
import { call } from '../../lib/http/call.ts'
import { sentenceOf } from '../../lib/http/http.ts'
import { useCommand } from '../../lib/http/use-command.ts'

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
