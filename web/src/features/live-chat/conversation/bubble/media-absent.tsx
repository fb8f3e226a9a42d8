import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import type { Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import CloudOffRounded from '~icons/ic/round-cloud-off'
import type { BubbleActions } from './bubble-actions.ts'
import { kindName } from './media-words.ts'
import { BlurredPreview } from './picture.tsx'
import { frameRatio, frameStyle } from './picture-frame.ts'

interface Props {
  message: Message
  media: MessageMedia
  actions: BubbleActions
}

const Words = ({ message, media, actions }: Props) =>
  media.status === 'waiting' ? (
    <>
      <CircularProgress size="var(--icon)" aria-label={`${kindName(message)} a caminho`} />
      <Typography variant="caption" component="p">
        Chegando do WhatsApp
      </Typography>
    </>
  ) : (
    <>
      <CloudOffRounded aria-hidden />
      <Typography variant="caption" component="p">
        {media.problem ?? 'O arquivo não está mais disponível no WhatsApp.'}
      </Typography>
      <Button size="small" color="inherit" variant="outlined" onClick={() => actions.onRetryMedia(message)}>
        Tentar de novo
      </Button>
    </>
  )

/** As large as the file will be, while it loads or is unavailable. */
export const MediaAbsent = (props: Props) => {
  const { message, media } = props
  const framed = message.kind === 'image' || message.kind === 'video'
  return (
    <Box
      sx={framed ? frameStyle : { position: 'relative', width: 'min(var(--voice-width), 62cqi)', minHeight: 44 }}
      style={framed ? { aspectRatio: frameRatio(media) } : undefined}
    >
      {framed && <BlurredPreview preview={media.preview} />}
      <Box
        sx={{
          position: framed ? 'absolute' : 'static',
          inset: 0,
          display: 'flex',
          flexDirection: framed ? 'column' : 'row',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: framed ? 'center' : 'flex-start',
          gap: 2,
          px: framed ? 4 : 0,
          textAlign: framed ? 'center' : 'start',
          whiteSpace: 'normal',
          // Keeps words readable over any picture.
          bgcolor: framed && media.preview ? 'color-mix(in srgb, var(--surface) 80%, transparent)' : undefined,
        }}
      >
        <Words {...props} />
      </Box>
    </Box>
  )
}
