import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { Logo } from '../../components/logo.tsx'
import { paths } from '../../lib/paths.ts'
import { trialUsed } from './api.ts'
import { LoginForm, noCredentials } from './login-form.tsx'
import { noRegistration, RegisterForm } from './register-form.tsx'
import '../../components/button.css'
import './welcome.css'

const tabs = ['Entrar', 'Criar Conta'] as const

const words = {
  done: {
    title: 'Conta criada!',
    description: 'Sua conta foi criada com sucesso. Você tem 10 dias de acesso gratuito!',
    withoutTrial: `Sua conta foi criada com sucesso. ${trialUsed}`,
  },
  failed: { title: 'Erro no registro', fallback: 'Erro ao criar conta.' },
}

/** The input of both tabs persists. `notice` is the reason to sign in. */
export const LoginPage = ({ notice }: { notice?: string | undefined }) => {
  const [open, setOpen] = useState<(typeof tabs)[number]>('Entrar')
  const credentials = useState(noCredentials)
  const registration = useState(noRegistration)
  const id = useId()
  useEffect(() => {
    document.title = `${open} · Prosa`
  }, [open])

  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const other = open === 'Entrar' ? 'Criar Conta' : 'Entrar'
    setOpen(other)
    document.getElementById(`${id}-${tabs.indexOf(other)}`)?.focus()
  }

  return (
    <div className="welcome-page welcome-centred">
      <main className="welcome-panel">
        <Link to={paths.home} className="welcome-home" aria-label="Prosa, voltar ao site">
          <Logo />
        </Link>
        <h1 className="visually-hidden">{open}</h1>
        {notice && (
          <p className="welcome-notice" role="status">
            {notice}
          </p>
        )}
        <div className="welcome-tabs" role="tablist" aria-label="Acesso ao Prosa">
          {tabs.map((tab, index) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`${id}-${index}`}
              aria-selected={open === tab}
              aria-controls={`${id}-panel`}
              tabIndex={open === tab ? 0 : -1}
              onClick={() => setOpen(tab)}
              onKeyDown={move}
            >
              {tab}
            </button>
          ))}
        </div>
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs.indexOf(open)}`}>
          {open === 'Entrar' ? <LoginForm state={credentials} /> : <RegisterForm words={words} state={registration} />}
        </div>
      </main>
    </div>
  )
}
