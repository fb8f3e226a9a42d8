import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import type { Message } from '@prosa/contracts/http/live-chat'
import CloseRounded from '~icons/ic/round-close'
import type { Upload } from '../../atoms.ts'
import type { BubbleActions } from './bubble-actions.ts'

interface Props {
  message: Message
  upload: Upload
  onDiscard: BubbleActions['onDiscard']
}

export const UploadProgress = ({ message, upload, onDiscard }: Props) => {
  if (upload.cancel === null || upload.share === null || message.status === 'failed') return null
  const percent = Math.round(upload.share * 100)
  return (
    <Box
      sx={{
        position: 'relative',
        width: 44,
        height: 44,
        flexShrink: 0,
        display: 'grid',
        placeItems: 'center',
        borderRadius: '50%',
        bgcolor: 'surface',
        color: 'text.primary',
        boxShadow: 'inset 0 0 0 3px var(--border)',
      }}
    >
      <CircularProgress
        variant="determinate"
        value={percent}
        aria-label={`Enviando arquivo, ${percent} %`}
        size={44}
        thickness={3}
        sx={{ position: 'absolute', inset: 0 }}
      />
      <IconButton size="small" aria-label="Cancelar envio" onClick={() => onDiscard(message)}>
        <CloseRounded />
      </IconButton>
    </Box>
  )
}

/** Lets clicks through. */
export const UploadProgressOver = (props: Props) => (
  <Box
    sx={{
      position: 'absolute',
      inset: 0,
      display: 'grid',
      placeItems: 'center',
      pointerEvents: 'none',
      '& > *': { pointerEvents: 'auto' },
    }}
  >
    <UploadProgress {...props} />
  </Box>
)
