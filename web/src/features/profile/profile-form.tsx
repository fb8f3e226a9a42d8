import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { User } from '@prosa/contracts/http/auth'
import { useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useForm } from '../../lib/use-form.ts'
import { useSaveProfile } from './api.ts'

/** A new e-mail needs the password. */
export const ProfileForm = ({ user }: { user: User }) => {
  const { firstName, lastName, email } = user
  const isOther = (email: string) => email.trim().toLowerCase() !== user.email
  const form = useForm(useState({ firstName, lastName, email, currentPassword: '' }), {
    command: useSaveProfile(),
    toInput: ({ currentPassword, ...names }) => (isOther(names.email) ? { ...names, currentPassword } : names),
    failed: 'Erro ao atualizar perfil.',
    onDone: () => form.set({ currentPassword: '' }),
  })
  return (
    <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4 }}>
      <Field label="Nome" autoComplete="given-name" {...form.bind('firstName')} />
      <Field label="Sobrenome" autoComplete="family-name" {...form.bind('lastName')} />
      <Field label="Email" autoComplete="email" type="email" {...form.bind('email')} />
      {isOther(form.values.email) && (
        <PasswordField
          label="Senha atual"
          autoComplete="current-password"
          help="Para trocar o e-mail, confirme sua senha."
          {...form.bind('currentPassword')}
        />
      )}
      <FormSummary sentence={form.summary} />
      <Button type="submit" variant="contained" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
        {form.isPending ? 'Salvando...' : 'Salvar alterações'}
      </Button>
    </Box>
  )
}
