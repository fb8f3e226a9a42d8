import Box from '@mui/material/Box'
import type { Message } from '@prosa/contracts/http/live-chat'
import { lazyPart } from '../../../../components/lazy-part.tsx'
import type { BubbleActions } from './bubble-actions.ts'
import { MediaAbsent } from './media-absent.tsx'
import { Picture, Sticker } from './picture.tsx'
import { isShownPicture } from './shown-picture.ts'
import { Sound } from './sound.tsx'
import { Video } from './video.tsx'

const DocumentCard = lazyPart(
  async () => (await import('./document-card.tsx')).DocumentCard,
  <Box sx={{ width: 'min(var(--voice-width), 62cqi)', minHeight: 'var(--target)' }} />,
)

const shown = { image: Picture, video: Video, audio: Sound, document: DocumentCard, sticker: Sticker } as const

export const MediaBody = ({ message, actions }: { message: Message; actions: BubbleActions }) => {
  const { media, kind } = message
  if (!media) return null
  if (media.status !== 'ready') return <MediaAbsent message={message} media={media} actions={actions} />
  const isFileOnly = (kind === 'image' || kind === 'sticker') && !isShownPicture(message)
  // A deleted message keeps its file for those who view the original.
  const Shown = kind in shown && !isFileOnly ? shown[kind as keyof typeof shown] : DocumentCard
  return <Shown message={message} media={media} actions={actions} />
}
