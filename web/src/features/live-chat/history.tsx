import KeyboardArrowDownRounded from '@mui/icons-material/KeyboardArrowDownRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { Fragment, useMemo } from 'react'
import { radius } from '../../app/theme.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { clockTime, relativeTime } from '../../lib/format.ts'
import { historyDays } from './history-days.ts'
import { MessageBubble } from './message-bubble.tsx'
import { useHistoryScroll } from './use-history-scroll.ts'
import { useNow } from './use-now.ts'

const dayMs = 86_400_000

/** Within a day as everywhere (specification, 4); older messages stand under their day and show the time of day. */
const messageTime = (timestamp: string, now: number): string =>
  now - Date.parse(timestamp) < dayMs ? relativeTime(timestamp, now) : clockTime(timestamp)

const DaySeparator = ({ label }: { label: string }) => (
  <Box
    sx={{
      position: 'sticky',
      top: 8,
      zIndex: 1,
      display: 'flex',
      justifyContent: 'center',
      py: 2,
      pointerEvents: 'none',
    }}
  >
    <Typography
      variant="caption"
      component="h3"
      sx={{
        px: 3,
        py: 1,
        bgcolor: 'surface',
        color: 'text.secondary',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: radius.panel,
      }}
    >
      {label}
    </Typography>
  </Box>
)

const UnreadLine = () => (
  <Box
    data-unread
    role="separator"
    aria-label="mensagens novas"
    sx={{ display: 'flex', alignItems: 'center', gap: 3, pt: 4 }}
  >
    <Box sx={{ flex: 1, borderTop: '1px solid', borderColor: 'primary.main' }} />
    <Typography variant="caption" sx={{ color: 'primary.main', fontWeight: 600 }}>
      mensagens novas
    </Typography>
    <Box sx={{ flex: 1, borderTop: '1px solid', borderColor: 'primary.main' }} />
  </Box>
)

interface Props {
  messages: Message[]
  contactName: string
  firstUnreadId: string | null
  isLoadingOlder: boolean
  hasOlder: boolean
  onNearTop: () => void
  onRetry: (message: Message) => void
}

/** The messages of one conversation, ascending. */
export const History = ({
  messages,
  contactName,
  firstUnreadId,
  isLoadingOlder,
  hasOlder,
  onNearTop,
  onRetry,
}: Props) => {
  const now = useNow(20_000)
  const today = new Date(now).toDateString()
  const days = useMemo(
    () => historyDays(messages, { now: new Date(today), firstUnreadId }),
    [messages, today, firstUnreadId],
  )
  const { viewport, content, missed, onScroll, toBottom } = useHistoryScroll(messages, onNearTop)

  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0, display: 'flex' }}>
      <Box
        ref={viewport}
        role="log"
        aria-live="polite"
        aria-label={`Mensagens de ${contactName}`}
        tabIndex={0}
        onScroll={onScroll}
        sx={{
          position: 'relative',
          flex: 1,
          overflowY: 'auto',
          overflowAnchor: 'none',
          overscrollBehavior: 'contain',
          bgcolor: 'sunken',
          outlineOffset: '-2px',
        }}
      >
        <Box ref={content} sx={{ px: { xs: 3, md: 6 }, pt: 2, pb: 4 }}>
          {hasOlder && (
            <Box sx={{ height: 'var(--target)', display: 'grid', placeItems: 'center' }}>
              {isLoadingOlder && <CircularProgress size="var(--icon)" aria-label="Carregando mensagens..." />}
            </Box>
          )}
          {messages.length === 0 && (
            <EmptyState title="Nenhuma mensagem ainda" sentence="Escreva a primeira mensagem abaixo." />
          )}
          {days.map((day) => (
            <Box key={day.key}>
              <DaySeparator label={day.label} />
              {day.items.map(({ message, startsRun, endsRun, startsUnread }) => (
                <Fragment key={message.id}>
                  {startsUnread && <UnreadLine />}
                  <MessageBubble
                    message={message}
                    contactName={contactName}
                    time={messageTime(message.timestamp, now)}
                    startsRun={startsRun}
                    endsRun={endsRun}
                    onRetry={onRetry}
                  />
                </Fragment>
              ))}
            </Box>
          ))}
        </Box>
      </Box>
      {missed > 0 && (
        <Button
          variant="contained"
          onClick={toBottom}
          endIcon={<KeyboardArrowDownRounded />}
          sx={{
            position: 'absolute',
            bottom: 16,
            left: '50%',
            transform: 'translateX(-50%)',
            boxShadow: 'var(--shadow-float)',
          }}
        >
          {missed === 1 ? '1 nova mensagem' : `${missed} novas mensagens`}
        </Button>
      )}
    </Box>
  )
}
