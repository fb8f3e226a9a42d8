import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import type { Connection } from '@prosa/contracts/http/connections'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import ForumRounded from '~icons/ic/round-forum'
import { KeyHint } from '../../components/key-hint.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { lazyPart, useIdleLoading } from '../../components/layout/lazy-part.tsx'
import { connectionsQuery, isConnected, numbersDown, numbersOf } from '../../lib/account/connections.ts'
import { queueAtom, queueParameter } from '../../lib/account/waiting.ts'
import { useScreenTitle } from '../../lib/browser/tab-title.ts'
import type { Page } from '../../lib/http/http.ts'
import { momentParameter } from '../../lib/paths.ts'
import { pollingPace } from '../../lib/realtime/live-pace.ts'
import { useSocketStatus } from '../../lib/realtime/socket.tsx'
import { contactQuery, countsQuery, keys, polling } from './api.ts'
import { hasSeveralNumbersAtom, linesAwayAtom, searchAtom } from './atoms.ts'
import { LiveChatBanners } from './banners/live-chat-banners.tsx'
import { useRecording } from './composer/use-recording.ts'
import { useConversationActions } from './conversation/use-conversation-actions.ts'
import { ConversationPane } from './conversation-pane.tsx'
import { ConversationsColumn } from './conversations-column.tsx'
import { conversationLine } from './line/conversation-line.ts'
import { queueOf } from './list/contact-lists.ts'
import type { ListFilter } from './list/list-filter.ts'
import { useContactList } from './list/use-contact-list.ts'
import { useListFilter } from './list/use-list-filter.ts'
import { type LiveChatDialog, LiveChatDialogs } from './live-chat-dialogs.tsx'
import { LiveChatLayout } from './live-chat-layout.tsx'
import { useUnsent } from './outbox/use-unsent.ts'
import { usePageShortcuts } from './shortcuts/use-page-shortcuts.ts'
import { useConversationOpening } from './use-conversation-opening.ts'
import { type FocusTargets, useFocusTargets, usePaneFocus } from './use-focus-targets.ts'
import { useLiveSync } from './use-live-sync.ts'
import { type Panel, useSelection } from './use-selection.ts'

/** `onNext` is null while nobody waits. */
const NothingSelected = ({ onNext }: { onNext: (() => void) | null }) => (
  <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', bgcolor: 'sunken' }}>
    <EmptyState
      icon={<ForumRounded />}
      title="Selecione uma conversa"
      sentence="Escolha alguém na lista para ler e responder."
      action={
        onNext && (
          <KeyHint title="Próxima conversa" keys={['N']}>
            <Button variant="contained" onClick={onNext}>
              Próxima conversa
            </Button>
          </KeyHint>
        )
      }
    />
  </Box>
)

/** A removed number, or the only one, filters nothing. */
const useShownFilter = (connections: readonly Connection[] | undefined): ListFilter => {
  const [{ label, line: asked }] = useListFilter()
  const numbers = connections && numbersOf(connections)
  const isKnown = !numbers || (numbers.length > 1 && numbers.some(({ id }) => id === asked))
  const line = isKnown ? asked : null
  return useMemo(() => ({ label, line }), [label, line])
}

/** `oneColumn`: list or conversation; `covering`: a panel overlays the conversation. */
const useScreenWidth = () => {
  const oneColumn = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'))
  const covering = useMediaQuery<Theme>((theme) => theme.breakpoints.down('lg'))
  const onPhone = useMediaQuery('(pointer: coarse)') && oneColumn
  return { oneColumn, covering, onPhone }
}

/**
 * After a merge the other contact's conversation opens with all unsent work. The returned key stays the same: writing and recording
 * continue.
 */
const useMerged = (
  selectedId: string | null,
  contact: Contact | null | undefined,
  follow: (contactId: string) => void,
): string | null => {
  const client = useQueryClient()
  const { move } = useUnsent()
  const [followed, setFollowed] = useState({ to: '', key: '' })
  const key = followed.to === selectedId ? followed.key : selectedId

  useEffect(() => {
    if (!contact) return
    const { id, merged } = contact
    for (const other of merged) move(other.id, id)
    if (key === null || id === selectedId) return
    client.setQueryData(keys.contact(id), contact)
    setFollowed({ to: id, key })
    follow(id)
  }, [client, contact, follow, key, move, selectedId])
  return key
}

/** Null when it does not exist; shows data of the lists until its own query loads. */
const useContact = (id: string | null) => {
  const client = useQueryClient()
  return useQuery({
    ...contactQuery(id ?? ''),
    enabled: id !== null,
    placeholderData: () => {
      const lists = client.getQueriesData<InfiniteData<Page<Contact>>>({ queryKey: keys.lists })
      for (const [, list] of lists) {
        const known = list?.pages.flatMap(({ items }) => items).find((contact) => contact.id === id)
        if (known) return known
      }
      return undefined
    },
  })
}

/** Undefined, and assumed connected, until read. */
const useConnectionState = (): { connections: Connection[] | undefined; connected: boolean } => {
  const connections = useQuery({ ...connectionsQuery, refetchInterval: () => pollingPace(polling.connections) }).data
  const status = useSocketStatus()
  const isApart = status === 'offline' || status === 'reconnecting'
  const connected = connections?.some(isConnected) !== false
  const [numbers, down] = [numbersOf(connections ?? []), numbersDown(connections ?? [])]
  const setSeveral = useSetAtom(hasSeveralNumbersAtom)
  useEffect(() => setSeveral(numbers.length > 1), [numbers.length, setSeveral])
  const setAway = useSetAtom(linesAwayAtom)
  const away = isApart || (!connected && down.length > 0) ? 'all' : down.map(({ id }) => id).join()
  useEffect(() => setAway(away), [away, setAway])
  return { connections, connected }
}

/** The conversation in view and what is done with it; an answer that comes after navigation changes nothing in view. */
const useOpenConversation = (options: {
  selection: ReturnType<typeof useSelection>
  connections: Connection[] | undefined
  filter: ListFilter
  isSearching: boolean
  width: ReturnType<typeof useScreenWidth>
  targets: FocusTargets
}) => {
  const { selection, filter, isSearching, width, targets } = options
  const { select, selectedId } = selection
  const contact = useContact(selectedId)
  const line = conversationLine(options.connections, contact.data?.connectionId ?? null)
  const status = contact.data?.serviceStatus
  const paneKey = useMerged(selectedId, contact.data, selection.follow)
  useLiveSync(contact.data)

  const { onPhone, oneColumn } = width
  const opening = useConversationOpening({
    ...{ select, selectedId, isSearching, filter, onPhone, targets },
    queue: contact.data ? queueOf(contact.data) : undefined,
  })
  const inView = useRef(selectedId)
  inView.current = selectedId
  const actions = useConversationActions(selectedId, ({ contactId, status: changed, isFocusFree }) => {
    if (changed !== 'attending' || contactId !== inView.current) return
    opening.showTab('attending')
    if (!oneColumn && isFocusFree) targets.focusComposer()
  })
  const [isRecording, setRecording] = useRecording(paneKey)
  return { contact, line, status, paneKey, opening, actions, isRecording, setRecording }
}

interface PaneProps {
  conversation: ReturnType<typeof useOpenConversation>
  selection: ReturnType<typeof useSelection>
  width: ReturnType<typeof useScreenWidth>
  targets: FocusTargets
  onNext: (() => void) | null
  onPanel: (panel: Panel | null) => void
  onBack: () => void
}

const SelectedConversation = ({ conversation, selection, width, targets, onNext, onPanel, onBack }: PaneProps) => {
  const { selectedId, messageId, jump, panel, showMessage } = selection
  const { contact, line, actions, isRecording } = conversation
  const { oneColumn, covering } = width
  if (selectedId === null) return <NothingSelected onNext={onNext} />
  return (
    <ConversationPane
      key={conversation.paneKey}
      contactId={selectedId}
      contact={contact.data}
      isFresh={contact.isFetchedAfterMount}
      error={contact.error}
      {...{ messageId, jump, line, actions, isRecording, panel, onPanel, onBack, onNext }}
      refs={targets.conversation}
      onRecord={conversation.setRecording}
      onShowMessage={(id) => showMessage(id, { covering })}
      onLeaveComposer={oneColumn ? onBack : targets.focusList}
      onRetryContact={() => void contact.refetch()}
    />
  )
}

export const LiveChatPage = () => {
  const tab = useAtomValue(queueAtom)
  const search = useAtomValue(searchAtom)
  const isSearching = search !== ''
  const [dialog, setDialog] = useState<LiveChatDialog | null>(null)
  const selection = useSelection()
  const { selectedId, panel, leave, showPanel } = selection
  const width = useScreenWidth()
  const { oneColumn, covering } = width
  const targets = useFocusTargets()
  const { focusComposer, focusList } = targets

  const { connections, connected } = useConnectionState()
  const filter = useShownFilter(connections)
  const counts = useQuery(countsQuery(filter.line)).data
  const list = useContactList(tab, search, filter)
  const conversation = useOpenConversation({ selection, connections, filter, isSearching, width, targets })
  const { contact, line, status, actions, opening, setRecording } = conversation
  useIdleLoading()
  useScreenTitle('Bate Papo ao vivo')

  const onNext = (counts?.waiting ?? 0) > 0 ? () => void opening.openNext() : null
  const onPanel = (next: Panel | null) => showPanel(next, { covering })
  const back = () => {
    leave()
    focusList()
  }
  usePageShortcuts({
    ...{ selectedId, status, panel, actions, targets, onNext, onPanel },
    contacts: list.contacts,
    canWrite: line.way !== 'none',
    onOpen: opening.open,
    onTab: opening.goToTab,
    onRecord: () => setRecording(true),
    onBack: back,
    onHelp: () => setDialog('shortcuts'),
  })
  usePaneFocus({ oneColumn, selectedId, targets })

  const column = (
    <ConversationsColumn
      {...{ tab, counts, list, connected, selectedId }}
      filter={isSearching ? { ...filter, label: null } : filter}
      listRef={targets.list}
      searchRef={targets.search}
      onTab={opening.chooseTab}
      onSelect={opening.openFromList}
      onFocusList={focusList}
      onDialog={setDialog}
    />
  )
  return (
    <LiveChatLayout
      isOpen={selectedId !== null}
      hasOwnHeader={selectedId !== null && Boolean(contact.data)}
      columnRef={targets.column}
      paneRef={targets.pane}
      column={column}
      banners={<LiveChatBanners connections={connections} />}
      pane={<SelectedConversation {...{ conversation, selection, width, targets, onNext, onPanel }} onBack={back} />}
    >
      <LiveChatDialogs
        dialog={dialog}
        contacts={contact.data ? [contact.data, ...list.contacts] : list.contacts}
        onClose={() => setDialog(null)}
        onFocusLost={focusComposer}
        onAdded={({ id, serviceStatus }) => {
          setDialog(null)
          opening.openInTab(id, serviceStatus)
        }}
      />
    </LiveChatLayout>
  )
}

const PastPage = lazyPart(async () => (await import('./past/past-page.tsx')).PastPage)

const QueueOfAddress = lazyPart(async () => (await import('../../lib/account/queue-address.tsx')).QueueOfAddress)

/** Now, or as it was where the address names a moment. */
export const LiveChatScreen = () => {
  const [parameters] = useSearchParams()
  const em = parameters.get(momentParameter)
  if (parameters.has(queueParameter)) return <QueueOfAddress />
  return em === null ? <LiveChatPage /> : <PastPage em={em} />
}
