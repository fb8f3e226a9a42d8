import Box from '@mui/material/Box'
import type { Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import { useState } from 'react'
import BrokenImageRounded from '~icons/ic/round-broken-image'
import { mediaPath } from '../../api.ts'
import { useUpload } from '../../outbox/use-uploads.ts'
import type { BubbleActions } from './bubble-actions.ts'
import { summaryOf } from './media-words.ts'
import { frameRatio, frameStyle } from './picture-frame.ts'
import { UploadProgressOver } from './upload-progress.tsx'

interface Props {
  message: Message
  media: MessageMedia
  actions: BubbleActions
}

const cover = { position: 'absolute', inset: 0, width: '100%', height: '100%', objectFit: 'cover' } as const

export const BlurredPreview = ({ preview }: { preview: string | null }) =>
  preview && (
    <Box component="img" src={preview} alt="" aria-hidden sx={{ ...cover, filter: 'blur(12px)', scale: '1.1' }} />
  )

export const Picture = ({ message, media, actions }: Props) => {
  const upload = useUpload(message.id)
  // Own uploads show from memory, also once the server has them.
  const [address, setAddress] = useState(upload?.address ?? mediaPath(media.id))
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const onError = () => {
    if (address === mediaPath(media.id)) setState('broken')
    else setAddress(mediaPath(media.id))
  }
  return (
    <Box sx={frameStyle} style={{ aspectRatio: frameRatio(media) }}>
      {state !== 'shown' && <BlurredPreview preview={media.preview} />}
      <Box
        component="button"
        type="button"
        aria-label={`Abrir foto: ${summaryOf(message)}`}
        onClick={() => actions.onOpenPicture(message)}
        sx={{ ...cover, p: 0, border: 0, bgcolor: 'transparent', cursor: 'zoom-in', color: 'text.secondary' }}
      >
        {state === 'broken' ? (
          <BrokenImageRounded titleAccess="A foto não pôde ser aberta" />
        ) : (
          <Box
            component="img"
            src={address}
            alt={summaryOf(message)}
            decoding="async"
            onLoad={() => setState('shown')}
            onError={onError}
            sx={{ ...cover, opacity: state === 'shown' ? 1 : 0, transition: 'opacity var(--state)' }}
          />
        )}
      </Box>
      {upload && <UploadProgressOver message={message} upload={upload} onDiscard={actions.onDiscard} />}
    </Box>
  )
}

export const Sticker = ({ message, media }: Omit<Props, 'actions'>) => {
  const [broken, setBroken] = useState(false)
  return (
    <Box sx={{ width: 'var(--sticker-size)', height: 'var(--sticker-size)', display: 'grid', placeItems: 'center' }}>
      {broken ? (
        <BrokenImageRounded titleAccess="A figurinha não pôde ser aberta" />
      ) : (
        <Box
          component="img"
          src={mediaPath(media.id)}
          alt={summaryOf(message)}
          decoding="async"
          onError={() => setBroken(true)}
          sx={{ maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' }}
        />
      )}
    </Box>
  )
}
