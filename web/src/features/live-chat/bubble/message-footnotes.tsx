import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import type { BubbleActions } from './bubble-actions.ts'

interface FailureProps {
  message: Message
  /** Only this page knows the message: it can be forgotten. */
  onlyHere: boolean
  actions: BubbleActions
}

/** Why a message of ours did not go, and the ways on. */
export const Failure = ({ message, onlyHere, actions }: FailureProps) => (
  <Box
    role="alert"
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      justifyContent: 'flex-end',
      gap: 1,
      maxWidth: 'min(85%, var(--bubble-width))',
    }}
  >
    <Typography variant="caption" sx={{ color: 'danger', textAlign: 'end', textWrap: 'pretty' }}>
      {message.failure ?? 'Erro ao enviar mensagem. Tente novamente.'}
    </Typography>
    {onlyHere && (
      <Button size="small" color="inherit" onClick={() => actions.onDiscard(message)}>
        Descartar
      </Button>
    )}
    <Button size="small" color="error" onClick={() => actions.onRetry(message)}>
      Tentar de novo
    </Button>
  </Box>
)

/** What an edited message said at first. */
export const Original = ({ text }: { text: string }) => (
  <Box sx={{ mt: 1, pt: 1, borderTop: '1px solid', borderColor: 'divider', whiteSpace: 'pre-wrap' }}>
    <Typography variant="caption" component="p" sx={{ fontWeight: 600 }}>
      Antes da edição
    </Typography>
    {text.trim() || 'Sem texto'}
  </Box>
)
