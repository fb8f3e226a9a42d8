import { minimumPasswordLength } from '@prosa/contracts/values/lengths'
import { type SubmitEvent, useEffect, useState } from 'react'
import { FormSummary } from '../../components/form-summary.tsx'
import { Logo } from '../../components/logo.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useLeave, useReplacePassword } from './api.ts'
import '../../components/button.css'
import './welcome.css'

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }
type Fields = typeof empty

const check = ({ newPassword, confirmPassword }: Fields): Partial<Fields> => {
  if (newPassword.length < minimumPasswordLength) return { newPassword: 'A senha deve ter pelo menos 6 caracteres.' }
  return newPassword === confirmPassword ? {} : { confirmPassword: 'As senhas não coincidem.' }
}

/** The only screen after signing in with a password that an administrator set. */
export const NewPasswordPage = () => {
  const [fields, setFields] = useState(empty)
  const [refused, setRefused] = useState<Partial<Fields>>({})
  const replace = useReplacePassword()
  const leave = useLeave()
  const problem = replace.error instanceof ApiProblem ? replace.error : null
  useEffect(() => {
    document.title = 'Escolha uma nova senha · Prosa'
  }, [])

  const bind = (name: keyof Fields) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields((fields) => ({ ...fields, [name]: value })),
    error: refused[name] ?? problem?.errorOf(name),
  })

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    const errors = check(fields)
    const { currentPassword, newPassword } = fields
    setRefused(errors)
    replace.reset()
    if (Object.keys(errors).length > 0) focusFirstRefused(element)
    else replace.mutate({ currentPassword, newPassword }, { onError: () => focusFirstRefused(element) })
  }

  return (
    <div className="welcome-page welcome-centred">
      <main className="welcome-panel">
        <Logo />
        <form className="welcome-form" noValidate onSubmit={submit}>
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
          <FormSummary
            sentence={replace.isError ? sentenceOf(replace.error, 'Não foi possível trocar a senha.') : null}
          />
          <button type="submit" className="button button-primary button-wide" disabled={replace.isPending}>
            {replace.isPending ? 'Salvando...' : 'Salvar nova senha'}
          </button>
        </form>
        <button type="button" className="welcome-text-button" disabled={leave.isPending} onClick={() => leave.mutate()}>
          {leave.isPending ? 'Saindo...' : 'Sair'}
        </button>
      </main>
    </div>
  )
}
