import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { ListedUser } from '@prosa/contracts/http/admin-lists'
import { type SubmitEvent, useId, useState } from 'react'
import { ErasureActions } from '../../../components/erasure-actions.tsx'
import { ErasureWord, isErasureMeant } from '../../../components/erasure-word.tsx'
import { TextAreaField } from '../../../components/text-area-field.tsx'
import { useEraseUser } from './api.ts'

interface Props {
  user: ListedUser
  reason: string
  onClose: () => void
  onErased: () => void
}

export const EraseUserDialog = ({ user, reason: written, onClose, onErased }: Props) => {
  const titleId = useId()
  const [reason, setReason] = useState(written)
  const [typed, setTyped] = useState('')
  const erasing = useEraseUser()
  const canErase = isErasureMeant(typed) && reason.trim() !== '' && !erasing.isPending

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (canErase) erasing.mutate({ id: user.id, reason: reason.trim() }, { onSuccess: onErased })
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <form noValidate onSubmit={submit}>
        <DialogTitle id={titleId}>Excluir usuário?</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Typography sx={{ overflowWrap: 'anywhere' }}>
            A conta de {user.firstName} {user.lastName} ({user.email}) e tudo o que há nela serão apagados agora e para
            sempre. Nem nós conseguimos trazê-los de volta.
          </Typography>
          <TextAreaField
            label="Motivo"
            help="Fica no histórico, com seu nome e a hora."
            rows={2}
            maxLength={500}
            value={reason}
            onChange={setReason}
          />
          <ErasureWord value={typed} onChange={setTyped} />
        </DialogContent>
        <ErasureActions
          label="Excluir para sempre"
          pending="Excluindo..."
          isPending={erasing.isPending}
          canErase={canErase}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}
