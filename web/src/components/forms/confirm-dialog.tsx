import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'

type Props = {
  open: boolean
  title: string
  sentence: string
  confirm: string
  pending?: boolean
  destructive?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** For irreversible actions; the focus starts on 'Cancelar'. */
export const ConfirmDialog = ({ open, title, sentence, confirm, pending, destructive, onConfirm, onCancel }: Props) => {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      maxWidth="xs"
      fullWidth
      aria-labelledby={`${id}t`}
      aria-describedby={`${id}s`}
    >
      <DialogTitle id={`${id}t`}>{title}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}s`} sx={{ color: 'text.secondary' }}>
          {sentence}
        </DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" autoFocus onClick={onCancel}>
          Cancelar
        </Button>
        <Button variant="contained" color={destructive ? 'error' : 'primary'} disabled={pending} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
