import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import CloseRounded from '~icons/ic/round-close'
import EditRounded from '~icons/ic/round-edit'
import { KeyHint } from '../../../../components/key-hint.tsx'

interface Props {
  message: Message
  onClose: () => void
}

export const EditBar = ({ message, onClose }: Props) => (
  <Box
    role="group"
    aria-label="Editando mensagem"
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
    <EditRounded aria-hidden sx={{ color: 'primary.main', flexShrink: 0 }} />
    <Box sx={{ flex: 1, minWidth: 0, py: 1 }}>
      <Typography noWrap variant="caption" component="p" sx={{ fontWeight: 600, color: 'primary.main' }}>
        Editando mensagem
      </Typography>
      <Typography noWrap component="p" dir="auto">
        {message.content}
      </Typography>
    </Box>
    <KeyHint title="Não editar" keys={['Esc']}>
      <IconButton aria-label="Não editar" color="secondary" onClick={onClose}>
        <CloseRounded />
      </IconButton>
    </KeyHint>
  </Box>
)
