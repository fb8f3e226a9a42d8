import IconButton from '@mui/material/IconButton'
import { type ComponentProps, useState } from 'react'
import DeleteIcon from '~icons/ic/round-delete-outline'
import { KeyHint } from '../key-hint.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props extends Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'sentence' | 'confirm' | 'pending'> {
  hint: string
  label: string
  onRemove: (options: { onSettled: () => void }) => void
}

/** Asks before it removes. */
export const RemovalButton = ({ hint, label, onRemove, ...question }: Props) => {
  const [asked, setAsked] = useState(false)
  const close = () => setAsked(false)
  return (
    <>
      <KeyHint title={hint}>
        <IconButton aria-label={label} onClick={() => setAsked(true)} sx={{ color: 'danger' }}>
          <DeleteIcon />
        </IconButton>
      </KeyHint>
      <ConfirmDialog
        {...question}
        open={asked}
        destructive
        onConfirm={() => onRemove({ onSettled: close })}
        onCancel={close}
      />
    </>
  )
}
