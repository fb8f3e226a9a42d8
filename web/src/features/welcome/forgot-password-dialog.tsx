import { useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Field } from '../../components/forms/field.tsx'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { useForgotPassword } from './password-api.ts'

type Props = {
  email: string
  onClose: () => void
}

export const ForgotPasswordDialog = ({ email: written, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const navigate = useNavigate()
  const form = useForm(useState({ email: written }), {
    command: useForgotPassword({
      onLink: ({ origin, pathname, search, href }) => {
        if (origin === window.location.origin) navigate(pathname + search)
        else window.location.assign(href)
      },
      onSent: onClose,
    }),
    toInput: (values) => values,
    check: ({ email }) => ({ email: email.trim() === '' ? 'Informe seu e-mail.' : undefined }),
    failed: 'Erro ao enviar email de recuperação.',
  })

  useEffect(() => dialog.current?.showModal(), [])

  return (
    <dialog ref={dialog} className="welcome-dialog" aria-labelledby={titleId} onClose={onClose}>
      <form className="welcome-form" noValidate onSubmit={form.submit}>
        <h2 id={titleId}>Esqueci minha senha</h2>
        <p className="welcome-lead">Diga o e-mail da sua conta. Enviamos um link para você escolher uma nova senha.</p>
        <Field label="E-mail" type="email" autoComplete="username" autoCapitalize="none" {...form.bind('email')} />
        <FormSummary sentence={form.summary} />
        <div className="welcome-dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-primary" disabled={form.isPending}>
            {form.isPending ? 'Enviando...' : 'Enviar link'}
          </button>
        </div>
      </form>
    </dialog>
  )
}
