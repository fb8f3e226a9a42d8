import type { LoginBody } from '@prosa/contracts/http/accounts/auth'
import {
  type Dispatch,
  type KeyboardEvent,
  lazy,
  type SetStateAction,
  Suspense,
  useEffect,
  useId,
  useState,
} from 'react'
import { Link } from 'react-router-dom'
import { Field } from '../../components/forms/field.tsx'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { PasswordField } from '../../components/forms/password-field.tsx'
import { Logo } from '../../components/layout/logo.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { paths } from '../../lib/paths.ts'
import { trialUsed, useLogin } from './api.ts'
import { noRegistration, RegisterForm } from './register-form.tsx'
import '../../components/forms/button.css'
import './welcome.css'

const ForgotPasswordDialog = lazy(async () => ({
  default: (await import('./forgot-password-dialog.tsx')).ForgotPasswordDialog,
}))

const noCredentials: LoginBody = { email: '', password: '' }

type Props = { state: [LoginBody, Dispatch<SetStateAction<LoginBody>>] }

const LoginForm = ({ state }: Props) => {
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
      {isForgotten && (
        <Suspense fallback={null}>
          <ForgotPasswordDialog email={form.values.email} onClose={() => setForgotten(false)} />
        </Suspense>
      )}
    </>
  )
}

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
