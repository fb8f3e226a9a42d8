import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import CloseRounded from '~icons/ic/round-close'
import { KeyHint } from '../../../components/key-hint.tsx'
import { summaryOf } from '../conversation/bubble/media-words.ts'
import { quotedName } from '../conversation/bubble/quote-block.tsx'

interface Props {
  message: Message
  contactName: string
  onClose: () => void
}

export const QuoteBar = ({ message, contactName, onClose }: Props) => (
  <Box
    role="group"
    aria-label="Respondendo a"
    sx={{
      display: 'flex',
      alignItems: 'center',
      gap: 2,
      mb: 2,
      pl: 3,
      bgcolor: 'background.default',
      borderInlineStart: '3px solid var(--primary)',
      borderRadius: 'var(--radius-control)',
    }}
  >
    <Box sx={{ flex: 1, minWidth: 0, py: 1 }}>
      <Typography noWrap variant="caption" component="p" sx={{ fontWeight: 600, color: 'primary.main' }}>
        {quotedName(message.sender, contactName)}
      </Typography>
      <Typography noWrap component="p">
        {summaryOf(message)}
      </Typography>
    </Box>
    <KeyHint title="Não citar" keys={['Esc']}>
      <IconButton aria-label="Não citar" color="secondary" onClick={onClose}>
        <CloseRounded />
      </IconButton>
    </KeyHint>
  </Box>
)
