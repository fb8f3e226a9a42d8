import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { type FormEvent, useState } from 'react'
import { ErasureActions } from '../../../components/erasure-actions.tsx'
import { ErasureWord, isErasureMeant } from '../../../components/erasure-word.tsx'
import { FormSummary } from '../../../components/form-summary.tsx'
import { refusalOr } from '../../../lib/http.ts'
import { useEraseContact } from '../api.ts'
import { contactName } from '../contact-name.ts'

const titleId = 'erase-contact-title'

interface Props {
  open: boolean
  contact: Contact
  onClose: () => void
  onErased: () => void
}

const EraseForm = ({ contact, onClose, onErased }: Omit<Props, 'open'>) => {
  const [typed, setTyped] = useState('')
  const erasing = useEraseContact(onErased)
  const isMeant = isErasureMeant(typed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isMeant) erasing.mutate(contact.id)
  }
  return (
    <form onSubmit={submit}>
      <DialogTitle id={titleId}>Apagar {contactName(contact)}?</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography>
          O nome, o telefone, as mensagens, as notas e os arquivos deste contato serão apagados do Prosa para sempre.
          Nem nós conseguimos trazê-los de volta. No WhatsApp da pessoa nada muda.
        </Typography>
        <ErasureWord autoFocus value={typed} onChange={setTyped} />
        <FormSummary
          sentence={erasing.error ? refusalOr(erasing.error, 'O contato não foi apagado. Tente novamente.') : null}
        />
      </DialogContent>
      <ErasureActions
        label="Apagar contato"
        pending="Apagando..."
        isPending={erasing.isPending}
        canErase={isMeant}
        onClose={onClose}
      />
    </form>
  )
}

export const EraseContactDialog = ({ open, ...props }: Props) => (
  <Dialog open={open} onClose={props.onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
    <EraseForm {...props} />
  </Dialog>
)
