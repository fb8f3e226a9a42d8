import Box from '@mui/material/Box'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { useCallback, useDeferredValue, useEffect, useRef } from 'react'
import { historyQuery } from './api.ts'
import { messageCursorAtom } from './atoms.ts'
import { DropHint } from './composer/attachments/drop-hint.tsx'
import { useAttaching } from './composer/attachments/use-attaching.ts'
import { useAttachments } from './composer/attachments/use-attachments.ts'
import { Composer } from './composer/composer.tsx'
import { contactName } from './contact-name.ts'
import { ConversationHeader } from './conversation/conversation-header.tsx'
import { ConversationHistory } from './conversation/conversation-history.tsx'
import { ConversationNotOpened, HistoryNotOpened } from './conversation/conversation-not-opened.tsx'
import { HeaderSkeleton } from './conversation/header-skeleton.tsx'
import { HistorySkeleton } from './conversation/history-skeleton.tsx'
import { NumberMovedBanner } from './conversation/number-moved.tsx'
import { SuspectedRobotBanner } from './conversation/suspected-robot.tsx'
import type { ConversationActions } from './conversation/use-conversation-actions.ts'
import { usePresence } from './conversation/use-presence.ts'
import type { ConversationLine } from './line/conversation-line.ts'
import { SidePanel } from './side-panel.tsx'
import type { ConversationRefs } from './use-focus-targets.ts'
import { useForgetErased } from './use-forget-erased.ts'
import { useContactRoom } from './use-live-sync.ts'
import type { Panel } from './use-selection.ts'

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

export const ConversationPane = (props: Props) => {
  const { contactId, contact, error, line, refs, onBack } = props
  const history = useQuery(historyQuery(contactId))
  const attachments = useAttachments(contactId)
  const presence = usePresence(contactId)
  const setCursor = useSetAtom(messageCursorAtom)
  const pane = useRef<HTMLDivElement>(null)
  const forgetErased = useForgetErased(contactId)
  const isGone = contact === null
  useEffect(() => {
    if (isGone) forgetErased()
  }, [isGone, forgetErased])
  useContactRoom(contactId)
  const searchButton = useSearchButton(props.panel)

  const focusComposer = useCallback(() => refs.composer.current?.focus(), [refs])
  const { attach, isOver, dropHandlers } = useAttaching({
    attachments,
    canWrite: line.way !== 'none',
    isRecording: props.isRecording,
    onFocusComposer: focusComposer,
  })

  // Many cached messages render slowly: header and composer appear first.
  const isDrawn = useDeferredValue(true, false)
  const enterHistory = () => {
    setCursor(history.data?.messages.at(-1)?.id ?? null)
    pane.current?.querySelector<HTMLElement>('[data-history]')?.focus()
  }

  if (isGone || (!contact && error))
    return <ConversationNotOpened isGone={isGone} error={error} onBack={onBack} onRetry={props.onRetryContact} />
  // With unread messages only a fresh read knows where they begin.
  const ready = contact && history.data && (history.isFetchedAfterMount || contact.unreadCount === 0)
  return (
    <Box ref={pane} sx={{ flex: 1, minHeight: 0, display: 'flex' }}>
      <Box
        {...dropHandlers}
        sx={{ position: 'relative', flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        {contact ? (
          <ConversationHeader
            contact={contact}
            actions={props.actions}
            presence={line.way === 'open' ? presence : null}
            line={line.named}
            panel={props.panel}
            searchButtonRef={searchButton}
            onBack={onBack}
            onPanel={(panel) => props.onPanel(panel === props.panel ? null : panel)}
            onNext={props.onNext}
          />
        ) : (
          <HeaderSkeleton />
        )}
        {contact && <NumberMovedBanner contact={contact} />}
        {contact && <SuspectedRobotBanner key={`robot ${contactId}`} contact={contact} />}
        {ready && !isDrawn ? (
          <Box sx={{ flex: 1, bgcolor: 'sunken' }} />
        ) : ready ? (
          <ConversationHistory
            key={contactId}
            contact={contact}
            isFresh={props.isFresh}
            loaded={history.data}
            messageId={props.messageId}
            jump={props.jump}
            onFocusComposer={focusComposer}
          />
        ) : history.isError ? (
          <HistoryNotOpened error={history.error} onRetry={() => void history.refetch()} />
        ) : (
          <HistorySkeleton />
        )}
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
