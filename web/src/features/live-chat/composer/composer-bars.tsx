import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import type { ReactNode } from 'react'
import CloseRounded from '~icons/ic/round-close'
import EditRounded from '~icons/ic/round-edit'
import { KeyHint } from '../../../components/key-hint.tsx'
import { summaryOf } from '../conversation/bubble/media-words.ts'
import { quotedName } from '../conversation/bubble/quote-block.tsx'

interface Props {
  label: string
  icon?: ReactNode
  title: string
  /** Names the button that closes it. */
  close: string
  onClose: () => void
  children: ReactNode
}

/** Above the field: the message that is quoted or edited. */
const ComposerBar = ({ label, icon, title, close, onClose, children }: Props) => (
  <Box
    role="group"
    aria-label={label}
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
    {icon}
    <Box sx={{ flex: 1, minWidth: 0, py: 1 }}>
      <Typography noWrap variant="caption" component="p" sx={{ fontWeight: 600, color: 'primary.main' }}>
        {title}
      </Typography>
      {children}
    </Box>
    <KeyHint title={close} keys={['Esc']}>
      <IconButton aria-label={close} color="secondary" onClick={onClose}>
        <CloseRounded />
      </IconButton>
    </KeyHint>
  </Box>
)

interface QuoteProps {
  message: Message
  contactName: string
  onClose: () => void
}

export const QuoteBar = ({ message, contactName, onClose }: QuoteProps) => (
  <ComposerBar
    label="Respondendo a"
    title={quotedName(message.sender, contactName)}
    close="Não citar"
    onClose={onClose}
  >
    <Typography noWrap component="p">
      {summaryOf(message)}
    </Typography>
  </ComposerBar>
)

export const EditBar = ({ message, onClose }: { message: Message; onClose: () => void }) => (
  <ComposerBar
    label="Editando mensagem"
    icon={<EditRounded aria-hidden sx={{ color: 'primary.main', flexShrink: 0 }} />}
    title="Editando mensagem"
    close="Não editar"
    onClose={onClose}
  >
    <Typography noWrap component="p" dir="auto">
      {message.content}
    </Typography>
  </ComposerBar>
)
