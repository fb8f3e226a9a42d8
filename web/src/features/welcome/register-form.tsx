import { useQuery } from '@tanstack/react-query'
import type { Dispatch, SetStateAction } from 'react'
import { Field } from '../../components/forms/field.tsx'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { PasswordField } from '../../components/forms/password-field.tsx'
import { plural } from '../../lib/format/format.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { privacyPath, termsPath } from '../../lib/paths.ts'
import { useToast } from '../../lib/toast.ts'
import { type RegistrationWords, termsQuery, useRegister } from './api.ts'
import { checkRegistration, type Registration } from './check-registration.ts'

export const noRegistration: Registration = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  confirmPassword: '',
}

type Props = { words: RegistrationWords; state: [Registration, Dispatch<SetStateAction<Registration>>] }

export const RegisterForm = ({ words, state }: Props) => {
  const toast = useToast()
  const acceptedTerms = useQuery(termsQuery).data?.version
  const form = useForm(state, {
    command: useRegister(words),
    toInput: ({ confirmPassword: _, ...body }) => ({ ...body, acceptedTerms }),
    check: checkRegistration,
    failed: words.failed.fallback,
    onRefused: ({ password, confirmPassword }) => {
      if (password && form.values.password !== '')
        toast({ title: 'Senha muito curta', description: password, kind: 'error' })
      else if (confirmPassword && form.values.confirmPassword !== '')
        toast({ title: 'Senhas não coincidem', description: confirmPassword, kind: 'error' })
    },
  })
  const { bind, refusals } = form
  const summary = refusals > 0 ? `${plural(refusals, 'campo precisa', 'campos precisam')} de atenção.` : form.summary
  return (
    <form className="welcome-form" noValidate onSubmit={form.submit}>
      <div className="welcome-pair">
        <Field label="Nome" autoComplete="given-name" autoFocus {...bind('firstName')} />
        <Field label="Sobrenome" autoComplete="family-name" {...bind('lastName')} />
      </div>
      <Field label="E-mail" type="email" autoComplete="username" autoCapitalize="none" {...bind('email')} />
      <PasswordField label="Senha" autoComplete="new-password" help="Pelo menos 6 caracteres." {...bind('password')} />
      <PasswordField label="Confirmar senha" autoComplete="new-password" {...bind('confirmPassword')} />
      <p className="welcome-terms">
        Ao criar a conta, você aceita os{' '}
        <a href={termsPath} target="_blank" rel="noopener">
          termos de uso
        </a>{' '}
        e a{' '}
        <a href={privacyPath} target="_blank" rel="noopener">
          política de privacidade
        </a>
        .
      </p>
      <FormSummary sentence={summary} />
      <button type="submit" className="button button-primary button-wide" disabled={form.isPending}>
        {form.isPending ? 'Criando conta...' : 'Criar conta'}
      </button>
    </form>
  )
}
