import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { User } from '@prosa/contracts/http/auth'
import { type SubmitEvent, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useSaveProfile } from './api.ts'

const fields = [
  { name: 'firstName', label: 'Nome', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Sobrenome', autoComplete: 'family-name' },
  { name: 'email', label: 'Email', autoComplete: 'email', type: 'email' },
] as const

/** A new e-mail needs the password. */
export const ProfileForm = ({ user }: { user: User }) => {
  const { firstName, lastName, email } = user
  const [form, setForm] = useState({ firstName, lastName, email })
  const [currentPassword, setCurrentPassword] = useState('')
  const save = useSaveProfile()
  const isMoving = form.email.trim().toLowerCase() !== email
  const problem = save.error instanceof ApiProblem ? save.error : null

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    save.mutate(isMoving ? { ...form, currentPassword } : form, {
      onSuccess: () => setCurrentPassword(''),
      onError: () => focusFirstRefused(element),
    })
  }

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 4 }}>
      {fields.map(({ name, ...field }) => (
        <Field
          key={name}
          {...field}
          name={name}
          value={form[name]}
          onChange={(value) => setForm((form) => ({ ...form, [name]: value }))}
          error={problem?.errorOf(name)}
        />
      ))}
      {isMoving && (
        <PasswordField
          label="Senha atual"
          name="currentPassword"
          autoComplete="current-password"
          help="Para trocar o e-mail, confirme sua senha."
          value={currentPassword}
          onChange={setCurrentPassword}
          error={problem?.errorOf('currentPassword')}
        />
      )}
      <FormSummary sentence={save.isError ? sentenceOf(save.error, 'Erro ao atualizar perfil.') : null} />
      <Button type="submit" variant="contained" disabled={save.isPending} sx={{ justifySelf: 'start' }}>
        {save.isPending ? 'Salvando...' : 'Salvar alterações'}
      </Button>
    </Box>
  )
}
