import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { clockTime, relativeTime } from '../../../lib/format/format.ts'
import { radius } from '../../../lib/radius.ts'
import type { BubbleActions } from './bubble/bubble-actions.ts'
import { type HistoryRow, lineHeight } from './history-rows.ts'
import { MessageBubble } from './message-bubble.tsx'

const dayMs = 86_400_000

/** Relative within a day (specification, 4); older messages are under their day's name. */
const messageTime = (timestamp: string, now: number): string =>
  now - Date.parse(timestamp) < dayMs ? relativeTime(timestamp, now) : clockTime(timestamp)

export const DayLabel = ({ label }: { label: string }) => (
  <Typography
    variant="caption"
    component="span"
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
)

const UnreadLine = () => (
  <Box
    role="separator"
    aria-label="Novas mensagens"
    sx={{ display: 'flex', alignItems: 'center', gap: 3, pt: 4, px: { xs: 3, md: 6 } }}
  >
    <Box sx={{ flex: 1, borderTop: '1px solid', borderColor: 'primary.main' }} />
    <Typography variant="caption" sx={{ color: 'primary.main', fontWeight: 600 }}>
      Novas mensagens
    </Typography>
    <Box sx={{ flex: 1, borderTop: '1px solid', borderColor: 'primary.main' }} />
  </Box>
)

/** Its height is reserved. */
const ConversationLine = lazyPart(
  async () => (await import('./conversation-line.tsx')).ConversationLine,
  <Box sx={{ height: lineHeight }} />,
)

interface Props {
  row: HistoryRow
  contactName: string
  now: number
  atCursor: boolean
  highlighted: boolean
  onlyHere: boolean
  readOnly?: boolean
  actions: BubbleActions
}

export const HistoryRowContent = (props: Props) => {
  const { row, contactName, now, atCursor, highlighted, onlyHere, readOnly = false, actions } = props
  if (row.kind === 'unread') return <UnreadLine />
  if (row.kind === 'line') return <ConversationLine line={row.line} />
  if (row.kind === 'day')
    return (
      <Box component="h3" sx={{ m: 0, pt: 4, pb: 2, textAlign: 'center' }}>
        <DayLabel label={row.label} />
      </Box>
    )
  return (
    <MessageBubble
      message={row.item.message}
      contactName={contactName}
      time={messageTime(row.item.message.timestamp, now)}
      startsRun={row.item.startsRun}
      endsRun={row.item.endsRun}
      otherLine={row.item.otherLine}
      atCursor={atCursor}
      highlighted={highlighted}
      onlyHere={onlyHere}
      readOnly={readOnly}
      actions={actions}
    />
  )
}
