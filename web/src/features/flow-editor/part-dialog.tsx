import Dialog, { type DialogProps } from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { CloseActions } from '../../components/forms/close-actions.tsx'
import { useIsPhone } from './use-is-phone.ts'

/** Removes the theme's margin and border. */
export const wholeScreen = { m: 0, border: 0, borderRadius: 0 } as const

interface Props extends Pick<DialogProps, 'fullWidth'> {
  title: string
  maxWidth: NonNullable<DialogProps['maxWidth']>
  onClose: () => void
  children: ReactNode
}

export const PartDialog = ({ title, maxWidth, fullWidth = false, onClose, children }: Props) => {
  const id = useId()
  const isPhone = useIsPhone()
  return (
    <Dialog
      open
      fullScreen={isPhone}
      fullWidth={fullWidth}
      maxWidth={maxWidth}
      onClose={onClose}
      aria-labelledby={id}
      slotProps={isPhone ? { paper: { sx: wholeScreen } } : {}}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      {children}
      <CloseActions onClose={onClose} />
    </Dialog>
  )
}
