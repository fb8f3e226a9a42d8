import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { ReactNode, Ref } from 'react'
import CloseRounded from '~icons/ic/round-close'
import { KeyHint } from '../../components/key-hint.tsx'
import { closeOnEscape } from '../../lib/browser/close-on-escape.ts'

interface Props {
  label: string
  heading: string
  /** Names the button that closes it. */
  close: string
  closeRef?: Ref<HTMLButtonElement>
  onClose: () => void
  children: ReactNode
}

/** Esc closes it. */
export const PanelFrame = ({ label, heading, close, closeRef, onClose, children }: Props) => (
  <Box
    component="aside"
    aria-label={label}
    onKeyDown={closeOnEscape(onClose)}
    sx={{
      width: 'var(--details-width)',
      maxWidth: '100vw',
      height: '100%',
      display: 'flex',
      flexDirection: 'column',
      overflowY: 'auto',
      bgcolor: 'surface',
    }}
  >
    <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 'var(--row-height)', pl: 4, pr: 2 }}>
      <Typography variant="subtitle1" component="h2" sx={{ flex: 1 }}>
        {heading}
      </Typography>
      <KeyHint title="Fechar" keys={['Esc']}>
        <IconButton ref={closeRef} aria-label={close} color="secondary" onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </KeyHint>
    </Box>
    {children}
  </Box>
)
