import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { Logo } from '../../components/logo.tsx'
import { becomeUser } from '../../lib/current-user.ts'
import { paths } from '../../lib/paths.ts'
import { useToast } from '../../lib/toast.ts'
import { useResetPassword } from './api.ts'
import { ResetPasswordForm } from './reset-password-form.tsx'
import '../../components/button.css'
import './welcome.css'

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
