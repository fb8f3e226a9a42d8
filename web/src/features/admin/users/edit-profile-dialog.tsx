import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import { useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { FormSummary } from '../../../components/form-summary.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { TextAreaField } from '../../../components/text-area-field.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { useUpdateProfile } from './api.ts'

/** Empty fields stay unchanged. */
export const EditProfileDialog = ({ user, onClose }: { user: ListedUser; onClose: () => void }) => {
  const { firstName, lastName, email } = user
  const form = useForm(useState({ firstName, lastName, email, password: '', reason: '' }), {
    command: useUpdateProfile(),
    toInput: ({ reason, ...fields }) => ({
      id: user.id,
      changes: Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== '')),
      reason: reason.trim() || undefined,
    }),
    failed: 'Falha ao atualizar perfil do usuário',
    onDone: onClose,
  })
  return (
    <FormDialog title="Editar perfil" form={form} submit="Salvar alterações" submitting="Salvando..." onClose={onClose}>
      <Field label="Nome" autoComplete="off" {...form.bind('firstName')} />
      <Field label="Sobrenome" autoComplete="off" {...form.bind('lastName')} />
      <Field label="Email" type="email" autoComplete="off" {...form.bind('email')} />
      <PasswordField
        label="Nova senha"
        autoComplete="new-password"
        help="Em branco, a senha fica como está. Uma senha nova encerra as sessões do usuário e deve ser trocada na próxima entrada."
        {...form.bind('password')}
      />
      <TextAreaField
        label="Motivo (opcional)"
        help="Fica no histórico do usuário, com seu nome e a hora."
        rows={2}
        maxLength={500}
        {...form.bind('reason')}
      />
      <FormSummary sentence={form.summary} />
    </FormDialog>
  )
}
