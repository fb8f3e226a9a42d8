import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Logo } from '../../components/logo.tsx'
import { isAccountErased } from '../../lib/account-erased.ts'
import { paths } from '../../lib/paths.ts'
import '../../components/button.css'
import './welcome.css'

/** What a visitor sees: one thought, one way in. Who comes here because the account was erased reads that first. */
export const LandingPage = () => {
  const { state } = useLocation()
  useEffect(() => {
    document.title = 'Prosa: o atendimento do seu negócio no WhatsApp'
  }, [])
  return (
    <div className="welcome-page landing">
      <header className="landing-header">
        <Logo />
        <Link to={paths.login} className="button">
          Entrar
        </Link>
      </header>
      {isAccountErased(state) && (
        <p role="status" className="landing-notice">
          Sua conta foi excluída, com tudo o que havia nela. Agradecemos por ter usado o Prosa.
        </p>
      )}
      <main className="landing-main">
        <h1>
          Seu cliente chamou. <em>Alguém já está respondendo.</em>
        </h1>
        <p>
          O Prosa reúne as conversas do WhatsApp do seu negócio em uma fila só: quem espera aparece primeiro, e nenhuma
          mensagem se perde.
        </p>
        <div className="landing-actions">
          <Link to={paths.register} className="button button-primary button-large">
            Teste Gratuito
          </Link>
          <span>10 dias, sem cartão</span>
        </div>
      </main>
    </div>
  )
}
