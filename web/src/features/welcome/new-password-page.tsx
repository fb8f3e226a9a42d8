import { minimumPasswordLength } from '@prosa/contracts/values/lengths'
import { useEffect, useState } from 'react'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { PasswordField } from '../../components/forms/password-field.tsx'
import { Logo } from '../../components/layout/logo.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { useLeave, useReplacePassword } from './password-api.ts'
import '../../components/forms/button.css'
import './welcome.css'

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }
type Fields = typeof empty

const check = ({ newPassword, confirmPassword }: Fields): Partial<Fields> => {
  if (newPassword.length < minimumPasswordLength) return { newPassword: 'A senha deve ter pelo menos 6 caracteres.' }
  return newPassword === confirmPassword ? {} : { confirmPassword: 'As senhas não coincidem.' }
}

/** The only screen after signing in with a password that an administrator set. */
export const NewPasswordPage = () => {
  const form = useForm(useState(empty), {
    command: useReplacePassword(),
    toInput: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    check,
    failed: 'Não foi possível trocar a senha.',
  })
  const { bind } = form
  const leave = useLeave()
  useEffect(() => {
    document.title = 'Escolha uma nova senha · Prosa'
  }, [])

  return (
    <div className="welcome-page welcome-centred">
      <main className="welcome-panel">
        <Logo />
        <form className="welcome-form" noValidate onSubmit={form.submit}>
          <h1>Escolha uma nova senha</h1>
          <p className="welcome-lead">
            Quem administra o Prosa definiu uma senha provisória para você. Para continuar, troque-a por uma que só você
            conheça.
          </p>
          <PasswordField label="Senha provisória" autoComplete="current-password" {...bind('currentPassword')} />
          <PasswordField
            label="Nova senha"
            autoComplete="new-password"
            help="Pelo menos 6 caracteres."
            {...bind('newPassword')}
          />
          <PasswordField label="Confirmar nova senha" autoComplete="new-password" {...bind('confirmPassword')} />
          <FormSummary sentence={form.summary} />
          <button type="submit" className="button button-primary button-wide" disabled={form.isPending}>
            {form.isPending ? 'Salvando...' : 'Salvar nova senha'}
          </button>
        </form>
        <button type="button" className="welcome-text-button" disabled={leave.isPending} onClick={() => leave.mutate()}>
          {leave.isPending ? 'Saindo...' : 'Sair'}
        </button>
      </main>
    </div>
  )
}
