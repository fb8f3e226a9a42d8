import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useForgotPassword } from './api.ts'

type Props = {
  email: string
  onClose: () => void
}

export const ForgotPasswordDialog = ({ email: written, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [email, setEmail] = useState(written)
  const [isMissing, setMissing] = useState(false)
  const titleId = useId()
  const navigate = useNavigate()
  const ask = useForgotPassword({
    onLink: ({ origin, pathname, search, href }) => {
      if (origin === window.location.origin) navigate(pathname + search)
      else window.location.assign(href)
    },
    onSent: onClose,
  })
  const problem = ask.error instanceof ApiProblem ? ask.error : null

  useEffect(() => dialog.current?.showModal(), [])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    const isEmpty = email.trim() === ''
    setMissing(isEmpty)
    if (isEmpty) focusFirstRefused(element)
    else ask.mutate({ email }, { onError: () => focusFirstRefused(element) })
  }

  return (
    <dialog ref={dialog} className="welcome-dialog" aria-labelledby={titleId} onClose={onClose}>
      <form className="welcome-form" noValidate onSubmit={submit}>
        <h2 id={titleId}>Esqueci minha senha</h2>
        <p className="welcome-lead">Diga o e-mail da sua conta. Enviamos um link para você escolher uma nova senha.</p>
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          value={email}
          onChange={setEmail}
          error={isMissing ? 'Informe seu e-mail.' : problem?.errorOf('email')}
        />
        <FormSummary sentence={ask.isError ? sentenceOf(ask.error, 'Erro ao enviar email de recuperação.') : null} />
        <div className="welcome-dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-primary" disabled={ask.isPending}>
            {ask.isPending ? 'Enviando...' : 'Enviar link'}
          </button>
        </div>
      </form>
    </dialog>
  )
}
