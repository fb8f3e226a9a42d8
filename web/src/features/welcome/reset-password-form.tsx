import { minimumPasswordLength } from '@prosa/contracts/values/lengths'
import { type SubmitEvent, useState } from 'react'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import type { useResetPassword } from './api.ts'

type Props = {
  token: string
  reset: ReturnType<typeof useResetPassword>
}

type Refused = { password?: string; confirmPassword?: string }

/** Specification, 5. */
const check = (password: string, confirmPassword: string): Refused => {
  if (password.length < minimumPasswordLength) return { password: 'A senha deve ter pelo menos 6 caracteres.' }
  return password === confirmPassword ? {} : { confirmPassword: 'As senhas não coincidem.' }
}

export const ResetPasswordForm = ({ token, reset }: Props) => {
  const [password, setPassword] = useState('')
  const [confirmPassword, setConfirmPassword] = useState('')
  const [refused, setRefused] = useState<Refused>({})
  const problem = reset.error instanceof ApiProblem ? reset.error : null

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    const errors = check(password, confirmPassword)
    setRefused(errors)
    reset.reset()
    if (Object.keys(errors).length > 0) focusFirstRefused(element)
    else reset.mutate({ token, password }, { onError: () => focusFirstRefused(element) })
  }

  return (
    <form className="welcome-form" noValidate onSubmit={submit}>
      <h1>Redefinir senha</h1>
      <PasswordField
        label="Nova senha"
        name="password"
        autoComplete="new-password"
        help="Pelo menos 6 caracteres."
        value={password}
        onChange={setPassword}
        error={refused.password ?? problem?.errorOf('password')}
      />
      <PasswordField
        label="Confirmar nova senha"
        name="confirmPassword"
        autoComplete="new-password"
        value={confirmPassword}
        onChange={setConfirmPassword}
        error={refused.confirmPassword}
      />
      <FormSummary sentence={reset.isError ? sentenceOf(reset.error, 'Erro ao redefinir senha.') : null} />
      <button type="submit" className="button button-primary button-wide" disabled={reset.isPending}>
        {reset.isPending ? 'Redefinindo...' : 'Redefinir senha'}
      </button>
    </form>
  )
}
