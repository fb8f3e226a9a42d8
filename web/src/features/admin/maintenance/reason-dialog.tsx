import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../../components/field.tsx'

interface Props {
  title: string
  sentence: string
  confirm: string
  destructive?: boolean
  needsReason?: boolean
  pending: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** The focus starts on 'Cancelar', or on the reason if one is required. */
export const ReasonDialog = ({
  title,
  sentence,
  confirm,
  destructive,
  needsReason,
  pending,
  onConfirm,
  onClose,
}: Props) => {
  const [reason, setReason] = useState('')
  const id = useId()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!pending) onConfirm(reason)
  }
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={`${id}t`} aria-describedby={`${id}s`}>
      <form noValidate onSubmit={submit}>
        <DialogTitle id={`${id}t`}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <DialogContentText id={`${id}s`} sx={{ color: 'text.secondary' }}>
            {sentence}
          </DialogContentText>
          <Field
            label={needsReason ? 'Motivo' : 'Motivo (opcional)'}
            name="reason"
            help="Fica no histórico."
            maxLength={500}
            autoComplete="off"
            autoFocus={needsReason}
            value={reason}
            onChange={setReason}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" autoFocus={!needsReason} onClick={onClose}>
            Cancelar
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={destructive ? 'error' : 'primary'}
            disabled={pending || (needsReason && reason.trim() === '')}
          >
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
