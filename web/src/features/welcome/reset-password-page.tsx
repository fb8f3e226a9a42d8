import { minimumPasswordLength } from '@prosa/contracts/values/lengths'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { PasswordField } from '../../components/forms/password-field.tsx'
import { Logo } from '../../components/layout/logo.tsx'
import { becomeUser } from '../../lib/account/current-user.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { paths } from '../../lib/paths.ts'
import { useToast } from '../../lib/toast.ts'
import { useResetPassword } from './password-api.ts'
import '../../components/forms/button.css'
import './welcome.css'

type Props = {
  token: string
  reset: ReturnType<typeof useResetPassword>
}

/** Specification, 5. */
const check = ({ password, confirmPassword }: { password: string; confirmPassword: string }) => {
  if (password.length < minimumPasswordLength) return { password: 'A senha deve ter pelo menos 6 caracteres.' }
  return password === confirmPassword ? {} : { confirmPassword: 'As senhas não coincidem.' }
}

const ResetPasswordForm = ({ token, reset }: Props) => {
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

const WithoutToken = () => {
  const toast = useToast()
  useEffect(() => {
    toast({ title: 'Token inválido', description: 'Link de redefinição de senha inválido.', kind: 'error' })
  }, [toast])
  return (
    <>
      <h1>Link inválido</h1>
      <p className="welcome-lead">
        Link de redefinição de senha inválido. Abra o link inteiro do e-mail, ou peça outro em “Esqueci minha senha”.
      </p>
    </>
  )
}

export const ResetPasswordPage = () => {
  const [parameters] = useSearchParams()
  const queries = useQueryClient()
  const token = parameters.get('token') ?? ''
  const reset = useResetPassword()
  useEffect(() => {
    document.title = 'Redefinir senha · Prosa'
  }, [])

  /** The reset ended all sessions, including this browser's. */
  const leave = () => reset.isSuccess && becomeUser(queries, null)

  return (
    <div className="welcome-page welcome-centred">
      <main className="welcome-panel">
        <Link to={paths.home} className="welcome-home" aria-label="Prosa, voltar ao site" onClick={leave}>
          <Logo />
        </Link>
        {reset.isSuccess ? (
          <>
            <h1>Senha Redefinida!</h1>
            <p className="welcome-lead">Sua nova senha já vale. Por segurança, você saiu de todos os aparelhos.</p>
            <Link to={paths.login} className="button button-primary button-wide" onClick={leave}>
              Fazer Login
            </Link>
          </>
        ) : (
          <>
            {token === '' ? <WithoutToken /> : <ResetPasswordForm token={token} reset={reset} />}
            <p className="welcome-links">
              <Link to={paths.login}>Voltar ao login</Link>
            </p>
          </>
        )}
      </main>
    </div>
  )
}
