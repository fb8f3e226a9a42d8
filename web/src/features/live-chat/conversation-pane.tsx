import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import type { WayOut } from '../../lib/connections.ts'
import { sentenceOf } from '../../lib/http.ts'
import { useToast } from '../../lib/toast.tsx'
import { historyQuery, keys } from './api.ts'
import { messageCursorAtom } from './atoms.ts'
import { useFileDrop, useFilePaste } from './attachments/use-file-drop.ts'
import { Composer } from './composer.tsx'
import { contactName } from './contact-name.ts'
import { ConversationHeader } from './conversation-header.tsx'
import { ConversationHistory } from './conversation-history.tsx'
import { HistorySkeleton } from './history-skeleton.tsx'
import { NumberMovedBanner } from './number-moved.tsx'
import { SidePanel } from './side-panel.tsx'
import { maximumAttachments, useAttachments } from './use-attachments.ts'
import type { ConversationActions } from './use-conversation-actions.ts'
import { useContactRoom } from './use-live-sync.ts'
import { usePresence } from './use-presence.ts'
import type { Panel } from './use-selection.ts'
import { useUnsent } from './use-unsent.ts'

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

const DropHint = () => (
  <Box
    sx={{
      position: 'absolute',
      inset: 0,
      zIndex: 2,
      display: 'grid',
      placeItems: 'center',
      pointerEvents: 'none',
      bgcolor: 'color-mix(in srgb, var(--primary-soft) 88%, transparent)',
      border: '2px dashed',
      borderColor: 'primary.main',
    }}
  >
    <Typography variant="h2" component="p">
      Solte para anexar
    </Typography>
  </Box>
)

/** Forgets what was read of a contact that was erased, and was meant for it, once its conversation is closed. */
const useForgetErased = (contactId: string) => {
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
  return useCallback(() => {
    erased.current = true
  }, [])
}

/** The button that the focus goes back to when the search is closed, by whatever closes it. */
const useSearchButton = (panel: Panel | null) => {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(panel)
  useEffect(() => {
    if (before.current === 'search' && panel === null) button.current?.focus()
    before.current = panel
  }, [panel])
  return button
}

/** The doors to what the keys of the page open in the conversation. */
interface ConversationDoors {
  composer: RefObject<HTMLTextAreaElement | null>
  attach: RefObject<HTMLButtonElement | null>
  find: RefObject<HTMLInputElement | null>
}

interface Props {
  contactId: string
  /** The message to open at, or null. */
  messageId: string | null
  /** Anew with each time that the message is asked for. */
  jump: number
  /** Null when it does not exist, or not any more. */
  contact: Contact | null | undefined
  /** The contact was read since its conversation was opened. */
  isFresh: boolean
  /** Why the contact could not be read. */
  error: unknown
  connected: boolean
  way: WayOut
  actions: ConversationActions
  doors: ConversationDoors
  isRecording: boolean
  panel: Panel | null
  onRecord: (recording: boolean) => void
  onPanel: (panel: Panel | null) => void
  onShowMessage: (messageId: string) => void
  onBack: () => void
  /** Esc in the composer. */
  onLeaveComposer: () => void
  onNext: (() => void) | null
  onRetryContact: () => void
}

/** The conversation in view: who, what was said, and where the answer is written. */
export const ConversationPane = (props: Props) => {
  const { contactId, contact, error, connected, way, doors, onBack } = props
  const history = useQuery(historyQuery(contactId))
  const toast = useToast()
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

  const focusComposer = useCallback(() => doors.composer.current?.focus(), [doors])
  const attach = (files: readonly File[], asDocument = false) => {
    if (attachments.add(files, asDocument) > 0)
      toast({
        kind: 'info',
        title: `No máximo ${maximumAttachments} arquivos de cada vez`,
        description: 'Envie estes e depois os outros.',
      })
    focusComposer()
  }
  const { isOver, handlers } = useFileDrop(way !== 'none', attach)
  useFilePaste(way !== 'none' && !props.isRecording, attach)

  const enterHistory = () => {
    setCursor(history.data?.messages.at(-1)?.id ?? null)
    pane.current?.querySelector<HTMLElement>('[data-history]')?.focus()
  }

  if (isGone || (!contact && error))
    return (
      <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', bgcolor: 'sunken' }}>
        <EmptyState
          title={isGone ? 'Esta conversa não existe mais' : 'Não foi possível abrir a conversa'}
          sentence={isGone ? 'Escolha outra na lista.' : sentenceOf(error, 'Tente novamente.')}
          action={
            <Button variant="outlined" onClick={isGone ? onBack : props.onRetryContact}>
              {isGone ? 'Voltar para as conversas' : 'Tentar de novo'}
            </Button>
          }
        />
      </Box>
    )
  // With unread messages only a fresh reading knows where they begin.
  const ready = contact && history.data && (history.isFetchedAfterMount || contact.unreadCount === 0)
  return (
    <Box ref={pane} sx={{ flex: 1, minHeight: 0, display: 'flex' }}>
      <Box
        {...handlers}
        sx={{ position: 'relative', flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        {contact ? (
          <ConversationHeader
            contact={contact}
            actions={props.actions}
            presence={connected ? presence : null}
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
        {ready ? (
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
          <Box sx={{ flex: 1, minHeight: 0, bgcolor: 'sunken' }}>
            <EmptyState
              title="As mensagens não puderam ser carregadas"
              sentence={sentenceOf(history.error, 'Nada se perdeu. Tente novamente.')}
              action={
                <Button variant="outlined" onClick={() => void history.refetch()}>
                  Tentar de novo
                </Button>
              }
            />
          </Box>
        ) : (
          <HistorySkeleton />
        )}
        <Composer
          contactId={contactId}
          contactName={contact ? contactName(contact) : ''}
          name={contact?.name ?? null}
          way={way}
          attachments={attachments}
          isRecording={props.isRecording}
          inputRef={doors.composer}
          attachRef={doors.attach}
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
          searchRef={doors.find}
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
