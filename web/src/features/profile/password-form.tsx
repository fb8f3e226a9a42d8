import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useForm } from '../../lib/use-form.ts'
import { useChangePassword } from './api.ts'

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }

export const PasswordForm = () => {
  const form = useForm(useState(empty), {
    command: useChangePassword(),
    toInput: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    check: ({ newPassword, confirmPassword }) => ({
      confirmPassword: newPassword === confirmPassword ? undefined : 'As senhas não coincidem.',
    }),
    failed: 'Não foi possível trocar a senha.',
    onDone: () => form.setValues(empty),
  })
  const { bind } = form
  return (
    <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4 }}>
      <PasswordField label="Senha atual" autoComplete="current-password" {...bind('currentPassword')} />
      <PasswordField
        label="Nova senha"
        autoComplete="new-password"
        help="Pelo menos 6 caracteres. Sua conta sai dos outros aparelhos."
        {...bind('newPassword')}
      />
      <PasswordField label="Confirmar nova senha" autoComplete="new-password" {...bind('confirmPassword')} />
      <FormSummary sentence={form.refusals > 0 ? '1 campo precisa de atenção.' : form.summary} />
      <Button type="submit" variant="outlined" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
        {form.isPending ? 'Trocando...' : 'Trocar senha'}
      </Button>
    </Box>
  )
}
