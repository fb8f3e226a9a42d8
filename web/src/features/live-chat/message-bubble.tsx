import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { memo } from 'react'
import { radius } from '../../app/theme.ts'
import { MessageText } from './message-text.tsx'
import { MessageTick } from './message-tick.tsx'
import { ScreenReaderText } from './screen-reader-text.tsx'

const fullMoment = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeStyle: 'short' })

interface Props {
  message: Message
  /** Who the contact is, for screen readers. */
  contactName: string
  /** The time as it is shown. */
  time: string
  startsRun: boolean
  endsRun: boolean
  onRetry: (message: Message) => void
}

const Failure = ({ message, onRetry }: Pick<Props, 'message' | 'onRetry'>) => (
  <Box
    role="alert"
    sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', gap: 1 }}
  >
    <Typography variant="caption" sx={{ color: 'danger' }}>
      {message.failure ?? 'Erro ao enviar mensagem. Tente novamente.'}
    </Typography>
    <Button size="small" color="error" onClick={() => onRetry(message)}>
      Tentar novamente
    </Button>
  </Box>
)

/** One message: our side right, the contact left; time and tick stand at the end of the text. */
export const MessageBubble = memo(({ message, contactName, time, startsRun, endsRun, onRetry }: Props) => {
  const own = message.sender === 'user'
  const side = own ? 'Right' : 'Left'
  return (
    <Box
      data-own={own}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: own ? 'flex-end' : 'flex-start',
        pt: startsRun ? 2 : 0.5,
      }}
    >
      <Typography
        component="div"
        variant="message"
        sx={{
          display: 'flow-root',
          maxWidth: 'min(68%, var(--bubble-width))',
          px: 3,
          py: 1.5,
          bgcolor: own ? 'own' : 'surface',
          color: own ? 'ownText' : 'text.primary',
          borderRadius: radius.bubble,
          [`borderTop${side}Radius`]: startsRun ? undefined : radius.control,
          [`borderBottom${side}Radius`]: endsRun ? undefined : radius.control,
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          fontStyle: message.kind === 'unsupported' ? 'italic' : undefined,
        }}
      >
        <ScreenReaderText>{own ? 'Você: ' : `${contactName}: `}</ScreenReaderText>
        <MessageText content={message.content} />
        <Typography
          component="span"
          variant="caption"
          sx={{
            float: 'right',
            display: 'inline-flex',
            alignItems: 'center',
            gap: 1,
            ml: 3,
            mt: 1.5,
            color: own ? 'inherit' : 'text.secondary',
            fontStyle: 'normal',
            whiteSpace: 'nowrap',
          }}
        >
          {message.sentElsewhere && 'pelo celular ·'}
          <time dateTime={message.timestamp} title={fullMoment.format(Date.parse(message.timestamp))}>
            {time}
          </time>
          {own && message.status && <MessageTick status={message.status} />}
        </Typography>
      </Typography>
      {message.status === 'failed' && <Failure message={message} onRetry={onRetry} />}
    </Box>
  )
})
