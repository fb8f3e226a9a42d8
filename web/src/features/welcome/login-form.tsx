import type { LoginBody } from '@prosa/contracts/http/auth'
import { type Dispatch, type SetStateAction, type SubmitEvent, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useLogin } from './api.ts'
import { ForgotPasswordDialog } from './forgot-password-dialog.tsx'

export const noCredentials: LoginBody = { email: '', password: '' }

type Props = { credentials: LoginBody; onChange: Dispatch<SetStateAction<LoginBody>> }

export const LoginForm = ({ credentials, onChange }: Props) => {
  const { email, password } = credentials
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({})
  const [isForgotten, setForgotten] = useState(false)
  const login = useLogin()
  const problem = login.error instanceof ApiProblem ? login.error : null

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const gaps = {
      ...(email.trim() === '' && { email: 'Informe seu e-mail.' }),
      ...(password === '' && { password: 'Informe sua senha.' }),
    }
    setMissing(gaps)
    focusFirstRefused(event.currentTarget)
    if (Object.keys(gaps).length === 0) login.mutate(credentials)
  }

  return (
    <>
      <form className="welcome-form" noValidate onSubmit={submit}>
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          value={email}
          onChange={(email) => onChange((form) => ({ ...form, email }))}
          error={missing.email ?? problem?.errorOf('email')}
        />
        <PasswordField
          label="Senha"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(password) => onChange((form) => ({ ...form, password }))}
          error={missing.password ?? problem?.errorOf('password')}
        />
        <FormSummary sentence={login.isError ? sentenceOf(login.error, 'Verifique suas credenciais.') : null} />
        <button type="submit" className="button button-primary button-wide" disabled={login.isPending}>
          {login.isPending ? 'Entrando...' : 'Entrar'}
        </button>
        <button type="button" className="welcome-text-button" onClick={() => setForgotten(true)}>
          Esqueci minha senha
        </button>
      </form>
      {isForgotten && <ForgotPasswordDialog email={email} onClose={() => setForgotten(false)} />}
    </>
  )
}
