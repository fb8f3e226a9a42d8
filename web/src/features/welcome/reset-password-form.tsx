import { minimumPasswordLength } from '@prosa/contracts/values/lengths'
import { useState } from 'react'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useForm } from '../../lib/use-form.ts'
import type { useResetPassword } from './api.ts'

type Props = {
  token: string
  reset: ReturnType<typeof useResetPassword>
}

/** Specification, 5. */
const check = ({ password, confirmPassword }: { password: string; confirmPassword: string }) => {
  if (password.length < minimumPasswordLength) return { password: 'A senha deve ter pelo menos 6 caracteres.' }
  return password === confirmPassword ? {} : { confirmPassword: 'As senhas não coincidem.' }
}

export const ResetPasswordForm = ({ token, reset }: Props) => {
  const form = useForm(useState({ password: '', confirmPassword: '' }), {
    command: reset,
    toInput: ({ password }) => ({ token, password }),
    check,
    failed: 'Erro ao redefinir senha.',
  })
  return (
    <form className="welcome-form" noValidate onSubmit={form.submit}>
      <h1>Redefinir senha</h1>
      <PasswordField
        label="Nova senha"
        autoComplete="new-password"
        help="Pelo menos 6 caracteres."
        {...form.bind('password')}
      />
      <PasswordField label="Confirmar nova senha" autoComplete="new-password" {...form.bind('confirmPassword')} />
      <FormSummary sentence={form.summary} />
      <button type="submit" className="button button-primary button-wide" disabled={form.isPending}>
        {form.isPending ? 'Redefinindo...' : 'Redefinir senha'}
      </button>
    </form>
  )
}
