import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useState } from 'react'
import { ErasureWord, isErasureMeant } from '../../../components/forms/erasure-word.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { contactName } from '../contact-name.ts'
import { useEraseContact } from './api.ts'

interface Props {
  contact: Contact
  onClose: () => void
  onErased: () => void
}

export const EraseContactDialog = ({ contact, onClose, onErased }: Props) => {
  const command = useEraseContact(onErased)
  const form = useForm(useState({ typed: '' }), { command, toInput: () => contact.id })
  const { typed } = form.values
  return (
    <FormDialog
      title={`Apagar ${contactName(contact)}?`}
      form={form}
      submit="Apagar contato"
      submitting="Apagando..."
      destructive
      canSubmit={isErasureMeant(typed)}
      onClose={onClose}
    >
      <Typography>
        O nome, o telefone, as mensagens, as notas e os arquivos deste contato serão apagados do Prosa para sempre. Nem
        nós conseguimos trazê-los de volta. No WhatsApp da pessoa nada muda.
      </Typography>
      <ErasureWord autoFocus value={typed} onChange={(typed) => form.set({ typed })} />
      <FormSummary
        sentence={command.error ? refusalOr(command.error, 'O contato não foi apagado. Tente novamente.') : null}
      />
    </FormDialog>
  )
}
