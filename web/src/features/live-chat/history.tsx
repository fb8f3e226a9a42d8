import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import KeyboardArrowDownRounded from '~icons/ic/round-keyboard-arrow-down'
import { EmptyState } from '../../components/empty-state.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { clockTime, relativeTime } from '../../lib/format.ts'
import { radius } from '../../lib/radius.ts'
import { messageCursorAtom } from './atoms.ts'
import type { BubbleActions } from './bubble/bubble-actions.ts'
import { summaryOf } from './bubble/media-words.ts'
import { historyRows } from './history-rows.ts'
import { bubbleId, MessageBubble } from './message-bubble.tsx'
import { NotLoaded } from './not-loaded.tsx'
import { type HistoryEnds, type Target, useHistoryPlace } from './use-history-place.ts'
import { useLongPress } from './use-long-press.ts'
import { type HistoryKeys, useMessageKeys } from './use-message-keys.ts'
import { useNow } from './use-now.ts'

const dayMs = 86_400_000

/** Within a day as everywhere (specification, 4); older messages stand under their day and show the time of day. */
const messageTime = (timestamp: string, now: number): string =>
  now - Date.parse(timestamp) < dayMs ? relativeTime(timestamp, now) : clockTime(timestamp)

const DayLabel = ({ label }: { label: string }) => (
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

/** What arrives is read aloud once; rows that only come into view by scrolling are not. */
const Arrivals = ({ messages, contactName }: { messages: Message[]; contactName: string }) => {
  const last = messages.at(-1)
  const [lastAtOpening] = useState(last?.id)
  const isNew = last?.sender === 'contact' && last.id !== lastAtOpening
  return (
    <ScreenReaderText>
      <span aria-live="polite">{isNew && `${contactName}: ${summaryOf(last)}`}</span>
    </ScreenReaderText>
  )
}

/** Over the history, which keeps its place: below the name of the day, above the button that leads down. */
const Floating = ({ at, children }: { at: 'top' | 'bottom'; children: ReactNode }) => (
  <Box
    sx={{
      position: 'absolute',
      [at]: 64,
      left: '50%',
      transform: 'translateX(-50%)',
      zIndex: 1,
      width: 'min(var(--form-width), calc(100% - 32px))',
      overflow: 'hidden',
      border: '1px solid',
      borderColor: 'divider',
      borderRadius: radius.panel,
      boxShadow: 'var(--shadow-float)',
    }}
  >
    {children}
  </Box>
)

const downLabel = (missed: number): string => {
  if (missed === 0) return 'Mensagens recentes'
  return missed === 1 ? '1 nova mensagem' : `${missed} novas mensagens`
}

interface Props extends HistoryEnds {
  messages: Message[]
  contactName: string
  firstUnreadId: string | null
  /** The first of those that came while the end was out of view. */
  onMissed: (messageId: string) => void
  /** What is loaded reaches the latest message. */
  reachesLatest: boolean
  loading: 'older' | 'newer' | null
  /** Which page did not come. */
  failed: 'older' | 'newer' | null
  /** What came while older messages are in view. */
  missedElsewhere: number
  /** The message to show, anew with each `number`. */
  target: Target | null
  onlyHere: ReadonlySet<string>
  actions: BubbleActions
  historyKeys: HistoryKeys
  onLatest: () => void
}

/** The messages of one conversation, ascending. Only those in view, and some around, exist. */
export const History = (props: Props) => {
  const { messages, contactName, firstUnreadId, reachesLatest, actions, onlyHere } = props
  const now = useNow(20_000)
  const today = new Date(now).toDateString()
  const rows = useMemo(
    () => historyRows(messages, { now: new Date(today), firstUnreadId }),
    [messages, today, firstUnreadId],
  )
  const place = useHistoryPlace({ ...props, rows })
  const { viewport, virtual, missed, isAway, highlightedId } = place
  const cursor = useAtomValue(messageCursorAtom)
  const { onKeyDown, onFocus } = useMessageKeys({ messages, keys: props.historyKeys, actions, reveal: place.reveal })

  const longPress = useLongPress((target) => {
    const pressed = target.closest('[data-own]')?.id
    const message = messages.find(({ id }) => bubbleId(id) === pressed)
    if (message && message.kind !== 'deleted') actions.onOpenActions(message)
  })

  const items = virtual.getVirtualItems()
  const topLabel = rows[virtual.range?.startIndex ?? 0]?.label
  const cursorShown = items.some(({ key }) => key === cursor)
  const down = reachesLatest ? place.toBottom : props.onLatest
  const unseen = reachesLatest ? missed : props.missedElsewhere
  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0, display: 'flex' }}>
      <Box
        ref={viewport}
        data-history
        role="group"
        aria-label={`Conversa com ${contactName}`}
        aria-activedescendant={cursor !== null && cursorShown ? bubbleId(cursor) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onScroll={place.onScroll}
        sx={{
          position: 'relative',
          flex: 1,
          // Pictures and players measure themselves by it (cqi).
          containerType: 'inline-size',
          overflowY: 'auto',
          overflowAnchor: 'none',
          overscrollBehavior: 'contain',
          bgcolor: 'sunken',
          outlineOffset: '-2px',
        }}
      >
        {rows.length > 0 && (
          <Box
            aria-hidden
            sx={{ position: 'sticky', top: 8, height: 0, zIndex: 1, textAlign: 'center', pointerEvents: 'none' }}
          >
            <Box sx={{ display: 'inline-block', pt: 2 }}>{topLabel && <DayLabel label={topLabel} />}</Box>
          </Box>
        )}
        {props.loading === 'older' && (
          <Box sx={{ position: 'absolute', top: 8, right: 16, zIndex: 1 }}>
            <CircularProgress size="var(--icon)" aria-label="Carregando mensagens..." />
          </Box>
        )}
        {messages.length === 0 && (
          <EmptyState title="Nenhuma mensagem ainda" sentence="Escreva a primeira mensagem abaixo." />
        )}
        <Box
          role="log"
          aria-live="off"
          aria-label={`Mensagens de ${contactName}`}
          {...longPress}
          sx={{ position: 'relative', '@media (hover: none)': { userSelect: 'none', WebkitTouchCallout: 'none' } }}
          style={{ height: virtual.getTotalSize() }}
        >
          <Box
            sx={{ position: 'absolute', top: 0, insetInline: 0 }}
            style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
          >
            {items.map(({ key, index }) => {
              const row = rows[index]
              return (
                row && (
                  <Box key={key} data-index={index} ref={virtual.measureElement} sx={{ display: 'flow-root' }}>
                    {row.kind === 'day' && (
                      <Box component="h3" sx={{ m: 0, pt: 4, pb: 2, textAlign: 'center' }}>
                        <DayLabel label={row.label} />
                      </Box>
                    )}
                    {row.kind === 'unread' && <UnreadLine />}
                    {row.kind === 'message' && (
                      <MessageBubble
                        message={row.item.message}
                        contactName={contactName}
                        time={messageTime(row.item.message.timestamp, now)}
                        startsRun={row.item.startsRun}
                        endsRun={row.item.endsRun}
                        atCursor={row.key === cursor}
                        highlighted={row.key === highlightedId}
                        onlyHere={onlyHere.has(row.key)}
                        actions={actions}
                      />
                    )}
                  </Box>
                )
              )
            })}
          </Box>
        </Box>
      </Box>
      {props.failed === 'older' && place.isNearTop && (
        <Floating at="top">
          <NotLoaded
            sentence="As mensagens anteriores não puderam ser carregadas."
            isAsking={props.loading !== null}
            onAgain={props.onNearTop}
          />
        </Floating>
      )}
      {props.failed === 'newer' && place.isNearBottom && (
        <Floating at="bottom">
          <NotLoaded
            sentence="As mensagens seguintes não puderam ser carregadas."
            isAsking={props.loading !== null}
            onAgain={props.onNearBottom}
          />
        </Floating>
      )}
      <Arrivals messages={reachesLatest ? messages : []} contactName={contactName} />
      {(isAway || !reachesLatest || unseen > 0) && rows.length > 0 && (
        <Button
          variant={unseen > 0 ? 'contained' : 'outlined'}
          onClick={down}
          endIcon={<KeyboardArrowDownRounded />}
          sx={{
            position: 'absolute',
            bottom: 16,
            left: '50%',
            transform: 'translateX(-50%)',
            whiteSpace: 'nowrap',
            boxShadow: 'var(--shadow-float)',
            bgcolor: unseen > 0 ? undefined : 'surface',
          }}
        >
          {downLabel(unseen)}
        </Button>
      )}
    </Box>
  )
}
