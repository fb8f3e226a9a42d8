import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import BrokenImageRounded from '~icons/ic/round-broken-image'
import ChevronLeftRounded from '~icons/ic/round-chevron-left'
import ChevronRightRounded from '~icons/ic/round-chevron-right'
import CloseRounded from '~icons/ic/round-close'
import DownloadRounded from '~icons/ic/round-download'
import { KeyHint } from '../../../../components/key-hint.tsx'
import { EmptyState } from '../../../../components/layout/empty-state.tsx'
import { dayAndTime } from '../../../../lib/format/format.ts'
import { downloadPath, mediaPath } from '../../api.ts'
import { useUpload } from '../../outbox/use-uploads.ts'
import { useNow } from '../../use-now.ts'
import { fileNameOf, summaryOf } from './media-words.ts'
import { isShownPicture } from './shown-picture.ts'

interface Props {
  messages: Message[]
  contactName: string
  openId: string
  onClose: () => void
}

const titleId = 'picture-viewer-title'

const wholeWindow = {
  m: 0,
  width: '100%',
  maxWidth: 'none',
  height: '100%',
  maxHeight: 'none',
  border: 0,
  borderRadius: 0,
}

const sameCell = { gridArea: '1 / 1' } as const

/** `addresses`: in order of preference. */
const FullPicture = ({ addresses, alt }: { addresses: [string, ...string[]]; alt: string }) => {
  const [[address, ...others], setAddresses] = useState(addresses)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const onError = () => {
    const [next, ...after] = others
    if (next === undefined) setState('failed')
    else setAddresses([next, ...after])
  }
  if (state === 'failed')
    return (
      <Box role="status">
        <EmptyState
          icon={<BrokenImageRounded />}
          title="A foto não pôde ser aberta"
          sentence="Verifique sua internet e tente de novo."
          action={
            <Button variant="outlined" onClick={() => setState('loading')}>
              Tentar de novo
            </Button>
          }
        />
      </Box>
    )
  return (
    <>
      {state === 'loading' && <CircularProgress aria-label="Carregando foto..." sx={sameCell} />}
      <Box
        component="img"
        src={address}
        alt={alt}
        onLoad={() => setState('shown')}
        onError={onError}
        sx={{ ...sameCell, maxWidth: '100%', maxHeight: '100%', minHeight: 0, objectFit: 'contain' }}
      />
    </>
  )
}

const isPicture = (message: Message) =>
  message.kind === 'image' && message.media?.status === 'ready' && isShownPicture(message)

interface StepProps {
  title: string
  sign: string
  icon: ReactNode
  to: Message | undefined
  onStep: (messageId: string) => void
}

const Step = ({ title, sign, icon, to, onStep }: StepProps) => (
  <KeyHint title={title} keys={[sign]}>
    <span>
      <IconButton color="secondary" aria-label={title} disabled={!to} onClick={() => to && onStep(to.id)}>
        {icon}
      </IconButton>
    </span>
  </KeyHint>
)

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
          href={upload?.address ?? downloadPath(shown.media.id)}
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
        <Step title="Foto anterior" sign="←" icon={<ChevronLeftRounded />} to={before} onStep={setId} />
        <Box sx={{ flex: 1, minWidth: 0, height: '100%', display: 'grid', placeItems: 'center' }}>
          <FullPicture
            key={shown.id}
            addresses={upload ? [upload.address, mediaPath(shown.media.id)] : [mediaPath(shown.media.id)]}
            alt={summaryOf(shown)}
          />
        </Box>
        <Step title="Próxima foto" sign="→" icon={<ChevronRightRounded />} to={after} onStep={setId} />
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
