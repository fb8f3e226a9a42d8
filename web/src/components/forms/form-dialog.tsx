import Button from '@mui/material/Button'
import Dialog, { type DialogProps } from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import type { Form } from '../../lib/forms/use-form.ts'

interface Props {
  title: ReactNode
  description?: ReactNode
  form: Form
  /** Null: nothing can be sent yet. */
  submit: string | null
  submitting?: string
  canSubmit?: boolean
  canClose?: boolean
  destructive?: boolean
  /** The focus starts on 'Cancelar'. */
  startsOnCancel?: boolean | undefined
  maxWidth?: NonNullable<DialogProps['maxWidth']>
  onClose: () => void
  children: ReactNode
}

export const FormDialog = ({
  title,
  description,
  form: { submit: onSubmit, isPending, isChanged },
  submit,
  submitting,
  canSubmit = true,
  canClose = true,
  destructive,
  startsOnCancel,
  maxWidth = 'xs',
  onClose,
  children,
}: Props) => {
  const id = useId()
  return (
    <Dialog
      open
      // A click on the backdrop must not discard input.
      onClose={(_event, reason) => canClose && !(reason === 'backdropClick' && isChanged) && onClose()}
      fullWidth
      maxWidth={maxWidth}
      aria-labelledby={`${id}t`}
      {...(description !== undefined && { 'aria-describedby': `${id}s` })}
    >
      <form
        noValidate
        onSubmit={(event) => (canSubmit ? onSubmit(event) : event.preventDefault())}
        style={{ display: 'contents' }}
      >
        <DialogTitle id={`${id}t`}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {description !== undefined && (
            <DialogContentText id={`${id}s`} sx={{ color: 'text.secondary' }}>
              {description}
            </DialogContentText>
          )}
          {children}
        </DialogContent>
        <DialogActions>
          <Button color="inherit" autoFocus={startsOnCancel} disabled={!canClose} onClick={onClose}>
            Cancelar
          </Button>
          {submit !== null && (
            <Button
              type="submit"
              variant="contained"
              color={destructive ? 'error' : 'primary'}
              disabled={!canSubmit || isPending}
            >
              {isPending ? (submitting ?? submit) : submit}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
