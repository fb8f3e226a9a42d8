import Typography from '@mui/material/Typography'
import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import { useState } from 'react'
import { ErasureWord, isErasureMeant } from '../../../components/erasure-word.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { TextAreaField } from '../../../components/text-area-field.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { useEraseUser } from './api.ts'

interface Props {
  user: ListedUser
  reason: string
  onClose: () => void
  onErased: () => void
}

export const EraseUserDialog = ({ user, reason: written, onClose, onErased }: Props) => {
  const form = useForm(useState({ reason: written, typed: '' }), {
    command: useEraseUser(),
    toInput: ({ reason }) => ({ id: user.id, reason: reason.trim() }),
    onDone: onErased,
  })
  const { reason, typed } = form.values
  return (
    <FormDialog
      title="Excluir usuário?"
      form={form}
      submit="Excluir para sempre"
      submitting="Excluindo..."
      destructive
      canSubmit={isErasureMeant(typed) && reason.trim() !== ''}
      onClose={onClose}
    >
      <Typography sx={{ overflowWrap: 'anywhere' }}>
        A conta de {user.firstName} {user.lastName} ({user.email}) e tudo o que há nela serão apagados agora e para
        sempre. Nem nós conseguimos trazê-los de volta.
      </Typography>
      <TextAreaField
        label="Motivo"
        help="Fica no histórico, com seu nome e a hora."
        rows={2}
        maxLength={500}
        {...form.bind('reason')}
      />
      <ErasureWord value={typed} onChange={(typed) => form.set({ typed })} />
    </FormDialog>
  )
}
