import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { type KeyboardEvent, useState } from 'react'
import ChevronLeftRounded from '~icons/ic/round-chevron-left'
import ChevronRightRounded from '~icons/ic/round-chevron-right'
import CloseRounded from '~icons/ic/round-close'
import DownloadRounded from '~icons/ic/round-download'
import { KeyHint } from '../../../components/key-hint.tsx'
import { dayAndTime } from '../../../lib/format.ts'
import { downloadPath, mediaPath } from '../api.ts'
import { useNow } from '../use-now.ts'
import { useUpload } from '../use-uploads.ts'
import { fileNameOf, summaryOf } from './media-words.ts'

interface Props {
  messages: Message[]
  contactName: string
  openId: string
  onClose: () => void
}

const titleId = 'picture-viewer-title'

/** Other dialogs keep a distance from the sides. */
const wholeWindow = {
  m: 0,
  width: '100%',
  maxWidth: 'none',
  height: '100%',
  maxHeight: 'none',
  border: 0,
  borderRadius: 0,
}

const isPicture = ({ kind, media }: Message) => kind === 'image' && media?.status === 'ready'

/** The pictures of the conversation, one at a time over the whole window: ← → to the others, Esc closes. */
export const PictureViewer = ({ messages, contactName, openId, onClose }: Props) => {
  const [id, setId] = useState(openId)
  const now = useNow(60_000)
  const upload = useUpload(id)
  const pictures = messages.filter((message) => isPicture(message) || message.id === openId)
  const at = pictures.findIndex((message) => message.id === id)
  const shown = pictures[at]
  const before = pictures[at - 1]
  const after = pictures[at + 1]
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined
    if (to) setId(to.id)
  }
  if (!shown?.media) return null
  return (
    <Dialog
      open
      fullScreen
      onClose={onClose}
      onKeyDown={onKeyDown}
      aria-labelledby={titleId}
      slotProps={{ paper: { sx: { ...wholeWindow, bgcolor: 'background.default', backgroundImage: 'none' } } }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 4, py: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography noWrap variant="subtitle2" component="h2" id={titleId}>
            Foto de {shown.sender === 'user' ? 'você' : contactName}
          </Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {dayAndTime(shown.timestamp, now)} · {at + 1} de {pictures.length}
          </Typography>
        </Box>
        <IconButton
          component="a"
          color="secondary"
          href={upload?.address ?? downloadPath(shown.media.id, fileNameOf(shown))}
          download={fileNameOf(shown)}
          aria-label="Baixar"
        >
          <DownloadRounded />
        </IconButton>
        <KeyHint title="Fechar" keys={['Esc']}>
          <IconButton autoFocus color="secondary" aria-label="Fechar" onClick={onClose}>
            <CloseRounded />
          </IconButton>
        </KeyHint>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, display: 'flex', alignItems: 'center', gap: 2, px: 2 }}>
        <IconButton
          color="secondary"
          aria-label="Foto anterior"
          disabled={!before}
          onClick={() => before && setId(before.id)}
        >
          <ChevronLeftRounded />
        </IconButton>
        <Box sx={{ flex: 1, minWidth: 0, height: '100%', display: 'grid', placeItems: 'center' }}>
          <Box
            component="img"
            key={shown.id}
            src={upload?.address ?? mediaPath(shown.media.id)}
            alt={summaryOf(shown)}
            sx={{ maxWidth: '100%', maxHeight: '100%', minHeight: 0, objectFit: 'contain' }}
          />
        </Box>
        <IconButton
          color="secondary"
          aria-label="Próxima foto"
          disabled={!after}
          onClick={() => after && setId(after.id)}
        >
          <ChevronRightRounded />
        </IconButton>
      </Box>
      <Typography
        component="p"
        variant="message"
        sx={{ px: 6, py: 3, minHeight: 'calc(1lh + 24px)', textAlign: 'center', whiteSpace: 'pre-wrap' }}
      >
        {shown.content}
      </Typography>
    </Dialog>
  )
}
