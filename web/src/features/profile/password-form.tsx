import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type SubmitEvent, useState } from 'react'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useChangePassword } from './api.ts'

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }

export const PasswordForm = () => {
  const [form, setForm] = useState(empty)
  const [isDifferent, setDifferent] = useState(false)
  const change = useChangePassword()
  const problem = change.error instanceof ApiProblem ? change.error : null

  const bind = (name: keyof typeof empty) => ({
    name,
    value: form[name],
    onChange: (value: string) => setForm((form) => ({ ...form, [name]: value })),
    error: problem?.errorOf(name),
  })

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    const { confirmPassword, ...body } = form
    setDifferent(body.newPassword !== confirmPassword)
    change.reset()
    if (body.newPassword !== confirmPassword) return focusFirstRefused(element)
    change.mutate(body, { onSuccess: () => setForm(empty), onError: () => focusFirstRefused(element) })
  }

  const summary = change.isError
    ? sentenceOf(change.error, 'Não foi possível trocar a senha.')
    : isDifferent
      ? '1 campo precisa de atenção.'
      : null

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 4 }}>
      <PasswordField label="Senha atual" autoComplete="current-password" {...bind('currentPassword')} />
      <PasswordField
        label="Nova senha"
        autoComplete="new-password"
        help="Pelo menos 6 caracteres. Sua conta sai dos outros aparelhos."
        {...bind('newPassword')}
      />
      <PasswordField
        label="Confirmar nova senha"
        autoComplete="new-password"
        {...bind('confirmPassword')}
        error={isDifferent ? 'As senhas não coincidem.' : undefined}
      />
      <FormSummary sentence={summary} />
      <Button type="submit" variant="outlined" disabled={change.isPending} sx={{ justifySelf: 'start' }}>
        {change.isPending ? 'Trocando...' : 'Trocar senha'}
      </Button>
    </Box>
  )
}
