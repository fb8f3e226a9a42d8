import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { memo, useState } from 'react'
import BlockRounded from '~icons/ic/round-block'
import ScheduleRounded from '~icons/ic/round-schedule'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { radius } from '../../../lib/radius.ts'
import { LineMark } from '../line/lazy-line-parts.tsx'
import { AwaitingLine, MessageTick } from '../message-tick.tsx'
import type { BubbleActions } from './bubble/bubble-actions.ts'
import { MediaAbsent } from './bubble/media-absent.tsx'
import { MessageActions } from './bubble/message-actions.tsx'
import { CorrectionFailure, Failure, Original } from './bubble/message-footnotes.tsx'
import { Picture, Sticker } from './bubble/picture.tsx'
import { QuoteBlock } from './bubble/quote-block.tsx'
import { Reactions } from './bubble/reactions.tsx'
import { isShownPicture } from './bubble/shown-picture.ts'
import { Sound } from './bubble/sound.tsx'
import { Video } from './bubble/video.tsx'
import { canBeDeleted, shownWords } from './corrections/changeable.ts'
import { MessageText } from './message-text.tsx'

const DocumentCard = lazyPart(
  async () => (await import('./bubble/document-card.tsx')).DocumentCard,
  <Box sx={{ width: 'min(var(--voice-width), 62cqi)', minHeight: 'var(--target)' }} />,
)

const shown = { image: Picture, video: Video, audio: Sound, document: DocumentCard, sticker: Sticker } as const

const MediaBody = ({ message, actions }: { message: Message; actions: BubbleActions }) => {
  const { media, kind } = message
  if (!media) return null
  if (media.status !== 'ready') return <MediaAbsent message={message} media={media} actions={actions} />
  const isFileOnly = (kind === 'image' || kind === 'sticker') && !isShownPicture(message)
  // A deleted message keeps its file for those who view the original.
  const Shown = kind in shown && !isFileOnly ? shown[kind as keyof typeof shown] : DocumentCard
  return <Shown message={message} media={media} actions={actions} />
}

const fullMoment = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeStyle: 'short' })

export const bubbleId = (messageId: string): string => `message-${messageId}`

interface Props {
  message: Message
  contactName: string
  time: string
  startsRun: boolean
  endsRun: boolean
  otherLine: string | null
  atCursor: boolean
  highlighted: boolean
  onlyHere: boolean
  /** As it was: nothing can be done with it. */
  readOnly?: boolean
  actions: BubbleActions
}

const mediaWidth = 'calc(min(var(--picture-width), 62cqi) + 24px)'

const smallLink = {
  p: 0,
  border: 0,
  bgcolor: 'transparent',
  font: 'inherit',
  color: 'inherit',
  textDecoration: 'underline',
  cursor: 'pointer',
} as const

const Deleted = ({ message, actions }: Pick<Props, 'message' | 'actions'>) => {
  const [isOpen, setOpen] = useState(false)
  const hasOriginal = message.original !== null || message.media !== null
  return (
    <>
      <Box component="span" sx={{ fontStyle: 'italic' }}>
        <BlockRounded aria-hidden sx={{ fontSize: 'message.fontSize', verticalAlign: 'text-bottom', mr: 1 }} />
        Mensagem apagada
      </Box>{' '}
      {hasOriginal && (
        <Box component="button" type="button" sx={smallLink} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Ocultar' : 'Ver original'}
        </Box>
      )}
      {isOpen && (
        <Box sx={{ mt: 1 }}>
          <MediaBody message={message} actions={actions} />
          {message.original && <MessageText id={message.id} content={message.original} />}
        </Box>
      )}
    </>
  )
}

const Content = ({ message, contactName, actions }: Pick<Props, 'message' | 'contactName' | 'actions'>) => {
  if (message.kind === 'deleted') return <Deleted message={message} actions={actions} />
  return (
    <>
      {message.quoted && <QuoteBlock quoted={message.quoted} contactName={contactName} onJump={actions.onJump} />}
      <MediaBody message={message} actions={actions} />
      <MessageText id={message.id} content={shownWords(message)} />
    </>
  )
}

const hasMore = (message: Message) =>
  message.kind !== 'deleted' &&
  message.status !== 'failed' &&
  (message.content.trim() !== '' || canBeDeleted(message) || message.status !== 'queued')

const Meta = ({ message, time, onEdited }: Pick<Props, 'message' | 'time'> & { onEdited: () => void }) => (
  <Typography
    component="span"
    variant="caption"
    sx={{
      float: 'right',
      display: 'inline-flex',
      alignItems: 'center',
      gap: 1,
      ml: 3,
      mt: message.kind === 'audio' && message.content === '' && message.media?.status === 'ready' ? '-1lh' : 1.5,
      color: message.sender === 'user' ? 'inherit' : 'text.secondary',
      fontStyle: 'normal',
      whiteSpace: 'nowrap',
    }}
  >
    {message.correction?.failure === null && (
      <>
        {message.correction.kind === 'edit' ? 'editada' : 'apagando…'}
        <ScheduleRounded titleAccess="a caminho do contato" sx={{ fontSize: 'message.fontSize', flexShrink: 0 }} />
        {'·'}
      </>
    )}
    {message.editedAt !== null && message.kind !== 'deleted' && message.correction?.failure !== null && (
      <Box
        component="button"
        type="button"
        sx={smallLink}
        title={`Editada em ${fullMoment.format(Date.parse(message.editedAt))}. Ver como era.`}
        onClick={onEdited}
      >
        editada
      </Box>
    )}
    {message.sentElsewhere && 'pelo celular ·'}
    {message.isAutomatic && `${message.isFlow ? 'Fluxo' : message.isProgram ? 'API' : 'Resposta automática'} ·`}
    {message.sender === 'user' && message.status && (
      <AwaitingLine status={message.status} connectionId={message.connectionId} />
    )}
    <time dateTime={message.timestamp} title={fullMoment.format(Date.parse(message.timestamp))}>
      {time}
    </time>
    {message.sender === 'user' && message.status && (
      <MessageTick status={message.status} connectionId={message.connectionId} />
    )}
  </Typography>
)

export const MessageBubble = memo((props: Props) => {
  const { message, contactName, time, startsRun, endsRun, otherLine, atCursor, highlighted } = props
  const { onlyHere, readOnly = false, actions } = props
  const [isOriginalOpen, setOriginalOpen] = useState(false)
  const own = message.sender === 'user'
  const side = own ? 'Right' : 'Left'
  const bare = message.kind === 'sticker' && message.media?.status === 'ready'
  return (
    <Box
      id={bubbleId(message.id)}
      data-own={own}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: own ? 'flex-end' : 'flex-start',
        pt: startsRun ? 2 : 0.5,
        px: { xs: 3, md: 6 },
        bgcolor: highlighted ? 'infoSoft' : undefined,
        transition: 'background-color var(--place)',
        '@media (hover: hover)': { '&:hover .message-actions': { opacity: 1 } },
      }}
    >
      {otherLine && <LineMark connectionId={otherLine} />}
      <Box
        sx={{
          display: 'flex',
          flexDirection: own ? 'row-reverse' : 'row',
          gap: 1,
          maxWidth: '100%',
          width: '100%',
        }}
      >
        <Typography
          component="div"
          variant="message"
          sx={{
            display: 'flow-root',
            maxWidth: message.media ? mediaWidth : 'min(68%, var(--bubble-width))',
            px: bare ? 0 : 3,
            py: 1.5,
            bgcolor: bare ? undefined : own ? 'own' : 'surface',
            color: own ? 'ownText' : 'text.primary',
            borderRadius: radius.bubble,
            [`borderTop${side}Radius`]: startsRun ? undefined : radius.control,
            [`borderBottom${side}Radius`]: endsRun ? undefined : radius.control,
            '[data-history]:focus-visible &': atCursor
              ? { outline: '2px solid var(--info)', outlineOffset: '2px' }
              : {},
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            fontStyle: message.kind === 'unsupported' ? 'italic' : undefined,
          }}
        >
          <ScreenReaderText>{own ? 'Você: ' : `${contactName}: `}</ScreenReaderText>
          <Content message={message} contactName={contactName} actions={actions} />
          <Meta message={message} time={time} onEdited={() => setOriginalOpen(!isOriginalOpen)} />
          {isOriginalOpen && message.original !== null && message.kind !== 'deleted' && (
            <Box sx={{ clear: 'both' }}>
              <Original text={message.original} />
            </Box>
          )}
        </Typography>
        {!onlyHere && !readOnly && hasMore(message) && (
          <MessageActions message={message} atCursor={atCursor} actions={actions} />
        )}
      </Box>
      {message.reactions.length > 0 && (
        <Reactions message={message} contactName={contactName} onReact={readOnly ? null : actions.onReact} />
      )}
      {message.correction?.failure && !readOnly && <CorrectionFailure message={message} actions={actions} />}
      {message.status === 'failed' && !readOnly && <Failure message={message} onlyHere={onlyHere} actions={actions} />}
      {message.status === 'failed' && readOnly && (
        <Typography variant="caption" sx={{ color: 'danger' }}>
          {message.failure}
        </Typography>
      )}
    </Box>
  )
})
