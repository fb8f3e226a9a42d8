import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import CloseIcon from '~icons/ic/round-close'
import { KeyHint } from '../../components/key-hint.tsx'
import { closeOnEscape } from '../../lib/browser/close-on-escape.ts'
import { useIsNarrow } from './use-is-narrow.ts'

interface Props {
  title: string
  subtitle?: string
  /** Each new value moves the focus into the first field; null if a pointer opened the panel. */
  takesFocusFor?: string | null
  onClose: () => void
  children: ReactNode
}

export const SidePanel = ({ title, subtitle, takesFocusFor = null, onClose, children }: Props) => {
  const close = useRef<HTMLButtonElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocusFor === null) return
    const first = content.current?.querySelector<HTMLElement>('input:not([type="file"]), textarea, select')
    const target = first ?? close.current
    target?.focus()
  }, [takesFocusFor])
  const isNarrow = useIsNarrow()
  const titleId = useId()
  const head = (
    <Box sx={{ display: 'flex', flex: 'none', alignItems: 'center', minHeight: 'var(--row-height)', pl: 4, pr: 2 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography id={titleId} variant="subtitle1" component="h2">
          {title}
        </Typography>
        {subtitle && (
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {subtitle}
          </Typography>
        )}
      </Box>
      <KeyHint title="Fechar" keys={['Esc']}>
        <IconButton ref={close} aria-label={`Fechar ${title}`} color="secondary" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </KeyHint>
    </Box>
  )
  const body = (
    <Box ref={content} sx={{ display: 'contents' }}>
      {children}
    </Box>
  )
  if (isNarrow)
    return (
      <Dialog fullScreen open onClose={onClose} aria-labelledby={titleId} slotProps={{ paper: { sx: { m: 0 } } }}>
        {head}
        {body}
      </Dialog>
    )
  return (
    <Box
      component="aside"
      aria-labelledby={titleId}
      onKeyDown={closeOnEscape(onClose)}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        flex: 'none',
        width: 'var(--details-width)',
        minHeight: 0,
        bgcolor: 'surface',
        borderLeft: '1px solid',
        borderColor: 'divider',
      }}
    >
      {head}
      {body}
    </Box>
  )
}
