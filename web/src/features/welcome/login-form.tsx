import type { LoginBody } from '@prosa/contracts/http/auth'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useForm } from '../../lib/use-form.ts'
import { useLogin } from './api.ts'
import { ForgotPasswordDialog } from './forgot-password-dialog.tsx'

export const noCredentials: LoginBody = { email: '', password: '' }

type Props = { state: [LoginBody, Dispatch<SetStateAction<LoginBody>>] }

export const LoginForm = ({ state }: Props) => {
  const [isForgotten, setForgotten] = useState(false)
  const form = useForm(state, {
    command: useLogin(),
    toInput: (credentials) => credentials,
    check: ({ email, password }) => ({
      email: email.trim() === '' ? 'Informe seu e-mail.' : undefined,
      password: password === '' ? 'Informe sua senha.' : undefined,
    }),
    failed: 'Verifique suas credenciais.',
  })
  return (
    <>
      <form className="welcome-form" noValidate onSubmit={form.submit}>
        <Field label="E-mail" type="email" autoComplete="username" autoCapitalize="none" {...form.bind('email')} />
        <PasswordField label="Senha" autoComplete="current-password" {...form.bind('password')} />
        <FormSummary sentence={form.summary} />
        <button type="submit" className="button button-primary button-wide" disabled={form.isPending}>
          {form.isPending ? 'Entrando...' : 'Entrar'}
        </button>
        <button type="button" className="welcome-text-button" onClick={() => setForgotten(true)}>
          Esqueci minha senha
        </button>
      </form>
      {isForgotten && <ForgotPasswordDialog email={form.values.email} onClose={() => setForgotten(false)} />}
    </>
  )
}
