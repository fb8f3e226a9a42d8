import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import { useState } from 'react'
import PlayArrowRounded from '~icons/ic/round-play-arrow'
import { minutesAndSeconds } from '../../../../lib/format/format.ts'
import { mediaPath } from '../../api.ts'
import { useUpload } from '../../outbox/use-uploads.ts'
import type { BubbleActions } from './bubble-actions.ts'
import { summaryOf } from './media-words.ts'
import { BlurredPreview } from './picture.tsx'
import { frameRatio, frameStyle } from './picture-frame.ts'
import { UploadProgressOver } from './upload-progress.tsx'

interface Props {
  message: Message
  media: MessageMedia
  actions: BubbleActions
}

const cover = { position: 'absolute', inset: 0, width: '100%', height: '100%' } as const

/** Nothing is fetched before a press. */
export const Video = ({ message, media, actions }: Props) => {
  const upload = useUpload(message.id)
  const [address] = useState(upload?.address ?? mediaPath(media.id))
  const [isOpen, setOpen] = useState(false)
  return (
    <Box sx={frameStyle} style={{ aspectRatio: frameRatio(media) }}>
      {isOpen ? (
        <Box component="video" src={address} controls autoPlay aria-label={summaryOf(message)} sx={cover} />
      ) : (
        <>
          <BlurredPreview preview={media.preview} />
          <Box
            component="button"
            type="button"
            aria-label={`Ver vídeo: ${summaryOf(message)}`}
            onClick={() => setOpen(true)}
            sx={{
              ...cover,
              display: 'grid',
              placeItems: 'center',
              border: 0,
              bgcolor: 'transparent',
              cursor: 'pointer',
            }}
          >
            {upload?.cancel ? null : (
              <Box
                component="span"
                sx={{
                  width: 44,
                  height: 44,
                  display: 'grid',
                  placeItems: 'center',
                  borderRadius: '50%',
                  bgcolor: 'surface',
                }}
              >
                <PlayArrowRounded sx={{ color: 'text.primary' }} />
              </Box>
            )}
            {media.seconds !== null && (
              <Typography
                variant="caption"
                component="span"
                sx={{
                  position: 'absolute',
                  bottom: 8,
                  left: 8,
                  px: 1.5,
                  bgcolor: 'surface',
                  color: 'text.primary',
                  borderRadius: 'var(--radius-control)',
                }}
              >
                {minutesAndSeconds(media.seconds)}
              </Typography>
            )}
          </Box>
        </>
      )}
      {upload?.cancel && <UploadProgressOver message={message} upload={upload} onDiscard={actions.onDiscard} />}
    </Box>
  )
}
