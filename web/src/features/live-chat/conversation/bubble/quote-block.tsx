import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'

interface Props {
  quoted: NonNullable<Message['quoted']>
  contactName: string
  onJump: (messageId: string) => void
}

export const quotedName = (sender: 'user' | 'contact' | null, contactName: string): string =>
  sender === 'user' ? 'Você' : sender === 'contact' ? contactName : 'Mensagem citada'

export const QuoteBlock = ({ quoted, contactName, onJump }: Props) => (
  <Box
    component="button"
    type="button"
    onClick={() => onJump(quoted.id)}
    sx={{
      display: 'block',
      width: '100%',
      mb: 1,
      px: 2,
      py: 1,
      font: 'inherit',
      textAlign: 'start',
      color: 'inherit',
      bgcolor: 'var(--hover)',
      border: 0,
      borderInlineStart: '3px solid var(--primary)',
      borderRadius: 'var(--radius-control)',
      cursor: 'pointer',
      overflow: 'hidden',
    }}
  >
    <Typography noWrap variant="caption" component="span" sx={{ display: 'block', fontWeight: 600 }}>
      {quotedName(quoted.sender, contactName)}
    </Typography>
    <Typography noWrap variant="body1" component="span" sx={{ display: 'block' }}>
      {quoted.content.trim() || 'Mensagem'}
    </Typography>
  </Box>
)
