import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { Logo } from '../../components/layout/logo.tsx'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { useSendConfirmation } from '../../lib/account/send-confirmation.ts'
import { ApiProblem, sentenceOf } from '../../lib/http/http.ts'
import { paths } from '../../lib/paths.ts'
import { useConfirmEmail } from './password-api.ts'
import '../../components/forms/button.css'
import './welcome.css'

/** Removes the token from the address bar and history once read: the computer may be shared. */
const useToken = (onNew: () => void): string | null => {
  const [parameters, setParameters] = useSearchParams()
  const [token, setToken] = useState<string | null>(null)
  const inAddress = parameters.get('token')
  useEffect(() => {
    if (inAddress === null) return
    setToken(inAddress)
    setParameters({}, { replace: true })
    onNew()
  }, [inAddress, setParameters, onNew])
  return inAddress ?? token
}

/** After an invalid link; a signed-in user can request another. */
const AnotherLink = () => {
  const user = useCurrentUser()
  const send = useSendConfirmation()
  if (user?.isEmailConfirmed)
    return (
      <Link to={paths.home} className="button button-primary button-wide">
        Ir para o Prosa
      </Link>
    )
  if (!user)
    return (
      <Link to={paths.login} className="button button-primary button-wide">
        Entrar e pedir outro link
      </Link>
    )
  return (
    <>
      <button
        type="button"
        className="button button-primary button-wide"
        disabled={send.isPending}
        onClick={() => send.mutate()}
      >
        {send.isPending ? 'Enviando...' : 'Enviar outro link'}
      </button>
      {send.isSuccess && (
        <p className="welcome-notice" role="status">
          {send.data.message}
        </p>
      )}
    </>
  )
}

const Confirmed = () => {
  const user = useCurrentUser()
  return (
    <>
      <h1>E-mail confirmado!</h1>
      <p className="welcome-lead" role="status">
        Se você comprou um plano com este e-mail, ele já vale na sua conta.
      </p>
      <Link to={user ? paths.home : paths.login} className="button button-primary button-wide">
        {user ? 'Ir para o Prosa' : 'Fazer Login'}
      </Link>
    </>
  )
}

const Refused = ({ isExpired }: { isExpired: boolean }) => {
  const user = useCurrentUser()
  const lead = isExpired
    ? 'O link vale por 3 dias, e este já passou do prazo.'
    : 'Este link não vale mais, ou não veio inteiro. Abra o link da mensagem mais recente.'
  return (
    <>
      <h1>{isExpired ? 'Este link venceu' : 'Link inválido'}</h1>
      <p className="welcome-lead" role="status">
        {user?.isEmailConfirmed ? 'Seu e-mail já está confirmado: não é preciso fazer mais nada.' : lead}
      </p>
      <AnotherLink />
    </>
  )
}

/** Needs a press: mail scanners open links before their reader does and would confirm the address. */
export const ConfirmEmailPage = () => {
  const confirm = useConfirmEmail()
  const token = useToken(confirm.reset)
  useEffect(() => {
    document.title = 'Confirmar e-mail · Prosa'
  }, [])
  const refusal = confirm.error instanceof ApiProblem ? confirm.error.type : null
  const isRefused = refusal === 'confirmation_link_invalid' || refusal === 'confirmation_link_expired'
  return (
    <div className="welcome-page welcome-centred">
      <main className="welcome-panel">
        <Link to={paths.home} className="welcome-home" aria-label="Prosa, voltar ao site">
          <Logo />
        </Link>
        {confirm.isSuccess ? (
          <Confirmed />
        ) : isRefused || !token ? (
          <Refused isExpired={refusal === 'confirmation_link_expired'} />
        ) : (
          <>
            <h1>Confirmar seu e-mail</h1>
            <p className="welcome-lead">
              Confirme que a conta no Prosa com este endereço é sua. Se não foi você que a abriu, feche esta página.
            </p>
            <FormSummary
              sentence={
                confirm.isError ? sentenceOf(confirm.error, 'O e-mail não foi confirmado. Tente de novo.') : null
              }
            />
            <button
              type="button"
              className="button button-primary button-wide"
              disabled={confirm.isPending}
              onClick={() => confirm.mutate({ token })}
            >
              {confirm.isPending ? 'Confirmando...' : 'Confirmar e-mail'}
            </button>
          </>
        )}
      </main>
    </div>
  )
}
