import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { useCallback, useDeferredValue, useEffect, useRef } from 'react'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { radius } from '../../lib/radius.ts'
import { historyQuery, keys } from './api.ts'
import { messageCursorAtom } from './atoms.ts'
import { useAttaching } from './composer/attachments/use-attaching.ts'
import { useAttachments } from './composer/attachments/use-attachments.ts'
import { Composer } from './composer/composer.tsx'
import { contactName } from './contact-name.ts'
import { ConversationHeader } from './conversation/conversation-header.tsx'
import { ConversationHistory } from './conversation/conversation-history.tsx'
import type { ConversationActions } from './conversation/use-conversation-actions.ts'
import { usePresence } from './conversation/use-presence.ts'
import type { History as LoadedHistory } from './history-page.ts'
import type { ConversationLine } from './line/conversation-line.ts'
import { useUnsent } from './outbox/use-unsent.ts'
import { SidePanel } from './side-panel.tsx'
import type { ConversationRefs } from './use-focus-targets.ts'
import { useContactRoom } from './use-live-sync.ts'
import type { Panel } from './use-selection.ts'

/** Seldom shown. */
const NumberMovedBanner = lazyPart(async () => (await import('./conversation/number-moved.tsx')).NumberMovedBanner)
const DropHint = lazyPart(async () => (await import('./composer/attachments/drop-hint.tsx')).DropHint)
const RobotBanner = lazyPart(async () => (await import('./conversation/suspected-robot.tsx')).SuspectedRobotBanner)

const failures = () => import('./conversation/page-failures.tsx')
const ConversationNotOpened = lazyPart(async () => (await failures()).ConversationNotOpened)
const HistoryNotOpened = lazyPart(async () => (await failures()).HistoryNotOpened)

/** Cached data and unsent work, once its conversation is closed. */
const useForgetErased = (contactId: string, isGone: boolean) => {
  const client = useQueryClient()
  const { forget } = useUnsent()
  const erased = useRef(false)
  useEffect(
    () => () => {
      if (!erased.current) return
      client.removeQueries({ queryKey: keys.history(contactId) })
      client.removeQueries({ queryKey: keys.contact(contactId) })
      client.removeQueries({ queryKey: keys.notes(contactId) })
      forget(contactId)
    },
    [client, contactId, forget],
  )
  const forgetErased = useCallback(() => {
    erased.current = true
  }, [])
  useEffect(() => {
    if (isGone) forgetErased()
  }, [isGone, forgetErased])
  return forgetErased
}

const bubbles = [
  { own: false, width: '46%' },
  { own: false, width: '30%' },
  { own: true, width: '52%' },
  { own: false, width: '38%' },
  { own: true, width: '24%' },
]

const HistorySkeleton = () => (
  <Box role="status" sx={{ flex: 1, minHeight: 0, overflow: 'hidden', bgcolor: 'sunken', px: { xs: 3, md: 6 }, pb: 4 }}>
    <ScreenReaderText>Carregando mensagens...</ScreenReaderText>
    <Box
      aria-hidden
      sx={{ height: '100%', display: 'flex', flexDirection: 'column', justifyContent: 'flex-end', gap: 2 }}
    >
      {bubbles.map(({ own, width }) => (
        <Skeleton
          key={width}
          variant="rectangular"
          sx={{
            width,
            height: 'var(--target)',
            borderRadius: radius.bubble,
            alignSelf: own ? 'flex-end' : 'flex-start',
          }}
        />
      ))}
    </Box>
  </Box>
)

const HeaderSkeleton = () => (
  <Box
    aria-hidden
    sx={{
      flexShrink: 0,
      height: 'var(--row-height)',
      display: 'flex',
      alignItems: 'center',
      gap: 3,
      px: 4,
      bgcolor: 'surface',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    <Skeleton variant="circular" sx={{ width: 'var(--avatar)', height: 'var(--avatar)' }} />
    <Skeleton variant="text" sx={{ width: '30%', typography: 'subtitle1' }} />
  </Box>
)

/** The focus returns to it, however the search is closed. */
const useSearchButton = (panel: Panel | null) => {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(panel)
  useEffect(() => {
    if (before.current === 'search' && panel === null) button.current?.focus()
    before.current = panel
  }, [panel])
  return button
}

interface Props {
  contactId: string
  messageId: string | null
  /** Changes with each request for the message. */
  jump: number
  /** Null when it does not exist or no longer does. */
  contact: Contact | null | undefined
  /** Read since its conversation was opened. */
  isFresh: boolean
  error: unknown
  line: ConversationLine
  actions: ConversationActions
  refs: ConversationRefs
  isRecording: boolean
  panel: Panel | null
  onRecord: (recording: boolean) => void
  onPanel: (panel: Panel | null) => void
  onShowMessage: (messageId: string) => void
  onBack: () => void
  onLeaveComposer: () => void
  onNext: (() => void) | null
  onRetryContact: () => void
}

const PaneHeader = ({ contactId, contact, line, panel, actions, onBack, onPanel, onNext }: Props) => {
  const presence = usePresence(contactId)
  const searchButton = useSearchButton(panel)
  if (!contact) return <HeaderSkeleton />
  return (
    <>
      <ConversationHeader
        contact={contact}
        actions={actions}
        presence={line.way === 'open' ? presence : null}
        line={line.named}
        panel={panel}
        searchButtonRef={searchButton}
        onBack={onBack}
        onPanel={(pressed) => onPanel(pressed === panel ? null : pressed)}
        onNext={onNext}
      />
      {contact.numberMoved && <NumberMovedBanner contact={contact} />}
      {contact.suspectedRobot && <RobotBanner key={`robot ${contactId}`} contact={contact} />}
    </>
  )
}

interface HistoryAreaProps extends Pick<Props, 'contactId' | 'contact' | 'isFresh' | 'messageId' | 'jump'> {
  history: UseQueryResult<LoadedHistory>
  onFocusComposer: () => void
}

const HistoryArea = ({ contactId, contact, history, isFresh, messageId, jump, onFocusComposer }: HistoryAreaProps) => {
  // Many cached messages render slowly: header and composer appear first.
  const isDrawn = useDeferredValue(true, false)
  // With unread messages only a fresh read knows where they begin.
  if (contact && history.data && (history.isFetchedAfterMount || contact.unreadCount === 0)) {
    if (!isDrawn) return <Box sx={{ flex: 1, bgcolor: 'sunken' }} />
    return (
      <ConversationHistory
        key={contactId}
        contact={contact}
        isFresh={isFresh}
        loaded={history.data}
        messageId={messageId}
        jump={jump}
        onFocusComposer={onFocusComposer}
      />
    )
  }
  if (history.isError) return <HistoryNotOpened error={history.error} onRetry={() => void history.refetch()} />
  return <HistorySkeleton />
}

export const ConversationPane = (props: Props) => {
  const { contactId, contact, error, line, refs, onBack } = props
  const history = useQuery(historyQuery(contactId))
  const attachments = useAttachments(contactId)
  const setCursor = useSetAtom(messageCursorAtom)
  const pane = useRef<HTMLDivElement>(null)
  const isGone = contact === null
  const forgetErased = useForgetErased(contactId, isGone)
  useContactRoom(contactId)

  const focusComposer = useCallback(() => refs.composer.current?.focus(), [refs])
  const { attach, isOver, dropHandlers } = useAttaching({
    attachments,
    canWrite: line.way !== 'none',
    isRecording: props.isRecording,
    onFocusComposer: focusComposer,
  })

  const enterHistory = () => {
    setCursor(history.data?.messages.at(-1)?.id ?? null)
    pane.current?.querySelector<HTMLElement>('[data-history]')?.focus()
  }

  if (isGone || (!contact && error))
    return <ConversationNotOpened isGone={isGone} error={error} onBack={onBack} onRetry={props.onRetryContact} />
  return (
    <Box ref={pane} sx={{ flex: 1, minHeight: 0, display: 'flex' }}>
      <Box
        {...dropHandlers}
        sx={{ position: 'relative', flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        <PaneHeader {...props} />
        <HistoryArea {...props} history={history} onFocusComposer={focusComposer} />
        <Composer
          contactId={contactId}
          contactName={contact ? contactName(contact) : ''}
          name={contact?.name ?? null}
          line={line}
          attachments={attachments}
          isRecording={props.isRecording}
          inputRef={refs.composer}
          attachRef={refs.attach}
          onAttach={attach}
          onRecord={props.onRecord}
          onSend={attachments.send}
          onLeave={props.onLeaveComposer}
          onUp={enterHistory}
        />
        {isOver && <DropHint />}
      </Box>
      {contact && (
        <SidePanel
          contact={contact}
          panel={props.panel}
          searchRef={refs.find}
          onPanel={props.onPanel}
          onClose={() => {
            props.onPanel(null)
            if (props.panel === 'details') focusComposer()
          }}
          onShowMessage={props.onShowMessage}
          onErased={() => {
            forgetErased()
            onBack()
          }}
        />
      )}
    </Box>
  )
}
