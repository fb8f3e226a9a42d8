import { type Dispatch, type SetStateAction, type SubmitEvent, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { plural } from '../../lib/format.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useToast } from '../../lib/toast.tsx'
import { type RegistrationWords, useRegister } from './api.ts'
import { checkRegistration, type FieldErrors, type Registration } from './check-registration.ts'

export const noRegistration: Registration = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  confirmPassword: '',
}

type Props = { words: RegistrationWords; form: Registration; onChange: Dispatch<SetStateAction<Registration>> }

export const RegisterForm = ({ words, form, onChange }: Props) => {
  const [refused, setRefused] = useState<FieldErrors>({})
  const toast = useToast()
  const register = useRegister(words)
  const problem = register.error instanceof ApiProblem ? register.error : null

  const bind = (name: keyof Registration) => ({
    name,
    value: form[name],
    onChange: (value: string) => onChange((form) => ({ ...form, [name]: value })),
    error: refused[name] ?? problem?.errorOf(name),
  })

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    const errors = checkRegistration(form)
    setRefused(errors)
    register.reset()
    if (Object.keys(errors).length === 0) {
      const { confirmPassword: _, ...body } = form
      register.mutate(body, { onError: () => focusFirstRefused(element) })
      return
    }
    focusFirstRefused(element)
    if (errors.password && form.password !== '')
      toast({ title: 'Senha muito curta', description: errors.password, kind: 'error' })
    else if (errors.confirmPassword && form.confirmPassword !== '')
      toast({ title: 'Senhas não coincidem', description: errors.confirmPassword, kind: 'error' })
  }

  const refusedCount = Object.keys(refused).length
  const summary = register.isError
    ? sentenceOf(register.error, words.failed.fallback)
    : refusedCount > 0
      ? `${plural(refusedCount, 'campo precisa', 'campos precisam')} de atenção.`
      : null

  return (
    <form className="welcome-form" noValidate onSubmit={submit}>
      <div className="welcome-pair">
        <Field label="Nome" autoComplete="given-name" autoFocus {...bind('firstName')} />
        <Field label="Sobrenome" autoComplete="family-name" {...bind('lastName')} />
      </div>
      <Field label="E-mail" type="email" autoComplete="username" autoCapitalize="none" {...bind('email')} />
      <PasswordField label="Senha" autoComplete="new-password" help="Pelo menos 6 caracteres." {...bind('password')} />
      <PasswordField label="Confirmar senha" autoComplete="new-password" {...bind('confirmPassword')} />
      <FormSummary sentence={summary} />
      <button type="submit" className="button button-primary button-wide" disabled={register.isPending}>
        {register.isPending ? 'Criando conta...' : 'Criar conta'}
      </button>
    </form>
  )
}
