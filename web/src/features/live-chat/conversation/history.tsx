import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import type { Message } from '@prosa/contracts/http/live-chat'
import { useAtomValue } from 'jotai'
import { type RefObject, useCallback, useMemo, useState } from 'react'
import KeyboardArrowDownRounded from '~icons/ic/round-keyboard-arrow-down'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { hasSeveralNumbersAtom, messageCursorAtom } from '../atoms.ts'
import type { Target } from '../conversation-state.ts'
import { useNow } from '../use-now.ts'
import type { BubbleActions } from './bubble/bubble-actions.ts'
import { summaryOf } from './bubble/media-words.ts'
import { DayLabel, HistoryRowContent } from './history-row-content.tsx'
import { type HistoryRow, historyRows } from './history-rows.ts'
import { bubbleId } from './message-bubble.tsx'
import { type HistoryEnds, useHistoryScroll } from './use-history-scroll.ts'
import { useLongPress } from './use-long-press.ts'
import { type HistoryKeys, useMessageKeys } from './use-message-keys.ts'

/** Seldom shown. */
const PageFailures = lazyPart(async () => (await import('./page-failures.tsx')).PageFailures)

const downLabel = (unseen: number): string => {
  if (unseen === 0) return 'Mensagens recentes'
  return unseen === 1 ? '1 nova mensagem' : `${unseen} novas mensagens`
}

const DownButton = ({ unseen, onClick }: { unseen: number; onClick: () => void }) => (
  <Button
    variant={unseen > 0 ? 'contained' : 'outlined'}
    onClick={onClick}
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
)

/** Screen readers announce arrivals once, not rows that scroll into view. */
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

/** Day of the topmost message in view. */
const TopDay = ({ label }: { label: string | undefined }) => (
  <Box
    aria-hidden
    sx={{ position: 'sticky', top: 8, height: 0, zIndex: 1, textAlign: 'center', pointerEvents: 'none' }}
  >
    <Box sx={{ display: 'inline-block', pt: 2 }}>{label && <DayLabel label={label} />}</Box>
  </Box>
)

const LoadingOlder = () => (
  <Box sx={{ position: 'absolute', top: 8, right: 16, zIndex: 1 }}>
    <CircularProgress size="var(--icon)" aria-label="Carregando mensagens..." />
  </Box>
)

const viewportStyle = {
  position: 'relative',
  flex: 1,
  // Pictures and players size themselves in cqi.
  containerType: 'inline-size',
  overflowY: 'auto',
  overflowAnchor: 'none',
  overscrollBehavior: 'contain',
  bgcolor: 'sunken',
  outlineOffset: '-2px',
} as const

interface Props extends HistoryEnds {
  messages: Message[]
  contactName: string
  firstUnreadId: string | null
  onMissed: (messageId: string) => void
  reachesFirst: boolean
  reachesLatest: boolean
  loading: 'older' | 'newer' | null
  failed: 'older' | 'newer' | null
  missedElsewhere: number
  target: Target | null
  onlyHere: ReadonlySet<string>
  actions: BubbleActions
  historyKeys: HistoryKeys
  /** False where they could not be read. */
  onLatest: () => Promise<boolean>
}

const useRows = ({ messages, firstUnreadId, reachesFirst }: Props, now: number): HistoryRow[] => {
  const today = new Date(now).toDateString()
  const hasSeveralNumbers = useAtomValue(hasSeveralNumbersAtom)
  return useMemo(
    () => historyRows(messages, { now: new Date(today), firstUnreadId, hasSeveralNumbers, reachesFirst }),
    [messages, today, firstUnreadId, hasSeveralNumbers, reachesFirst],
  )
}

const usePressedMessage = (messages: Message[], actions: BubbleActions) =>
  useLongPress((target) => {
    const pressed = target.closest('[data-own]')?.id
    const message = messages.find(({ id }) => bubbleId(id) === pressed)
    if (message && message.kind !== 'deleted') actions.onOpenActions(message)
  })

const useGoingToEnd = (goesToEnd: RefObject<boolean>, onLatest: Props['onLatest']) =>
  useCallback(async () => {
    goesToEnd.current = true
    if (!(await onLatest())) goesToEnd.current = false
  }, [goesToEnd, onLatest])

/** Virtual, ascending. */
export const History = (props: Props) => {
  const { messages, contactName, reachesLatest, actions, onlyHere } = props
  const now = useNow(20_000)
  const rows = useRows(props, now)
  const scroll = useHistoryScroll({ ...props, rows })
  const { viewport, virtual, missed, isAway, highlightedId } = scroll
  const cursor = useAtomValue(messageCursorAtom)
  const toLatest = useGoingToEnd(scroll.goesToEnd, props.onLatest)
  const onLatest = reachesLatest ? null : toLatest
  const { onKeyDown, onFocus } = useMessageKeys({ ...props, reveal: scroll.reveal, onLatest })
  const longPress = usePressedMessage(messages, actions)

  const rowAt = (row: HistoryRow | undefined) =>
    row && (
      <HistoryRowContent
        row={row}
        contactName={contactName}
        now={now}
        atCursor={row.key === cursor}
        highlighted={row.key === highlightedId}
        onlyHere={onlyHere.has(row.key)}
        actions={actions}
      />
    )
  const items = virtual.getVirtualItems().filter(({ index }) => rows[index])
  const cursorShown = items.some(({ key }) => key === cursor)
  const down = onLatest ?? scroll.toBottom
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
        onScroll={scroll.onScroll}
        sx={viewportStyle}
      >
        {rows.length > 0 && <TopDay label={rows[virtual.range?.startIndex ?? 0]?.label} />}
        {props.loading === 'older' && <LoadingOlder />}
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
            {items.map(({ key, index }) => (
              <div key={key} data-index={index} ref={virtual.measureElement} style={{ display: 'flow-root' }}>
                {rowAt(rows[index])}
              </div>
            ))}
          </Box>
        </Box>
      </Box>
      <PageFailures
        failed={props.failed}
        isLoading={props.loading !== null}
        isNearTop={scroll.isNearTop}
        isNearBottom={scroll.isNearBottom}
        onOlder={props.onNearTop}
        onNewer={props.onNearBottom}
      />
      <Arrivals messages={reachesLatest ? messages : []} contactName={contactName} />
      {(isAway || !reachesLatest || unseen > 0) && rows.length > 0 && <DownButton unseen={unseen} onClick={down} />}
    </Box>
  )
}
