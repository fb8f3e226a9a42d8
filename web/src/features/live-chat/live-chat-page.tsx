import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import { useIdleLoading } from '../../components/lazy-part.tsx'
import { useScreenTitle } from '../../lib/tab-title.ts'
import { statusTabAtom } from '../../lib/waiting.ts'
import { countsQuery } from './api.ts'
import { searchAtom } from './atoms.ts'
import { LiveChatBanners } from './banners/live-chat-banners.tsx'
import { useRecording } from './composer/use-recording.ts'
import { useConversationActions } from './conversation/use-conversation-actions.ts'
import { ConversationPane } from './conversation-pane.tsx'
import { ConversationsColumn } from './conversations-column.tsx'
import { conversationLine } from './line/conversation-line.ts'
import { useShownFilter } from './line/use-shown-filter.ts'
import { useContactList } from './list/use-contact-list.ts'
import { type LiveChatDialog, LiveChatDialogs } from './live-chat-dialogs.tsx'
import { LiveChatLayout } from './live-chat-layout.tsx'
import { NothingSelected } from './nothing-selected.tsx'
import { usePageShortcuts } from './shortcuts/use-page-shortcuts.ts'
import { useConnectionState } from './use-connection-state.ts'
import { useContact } from './use-contact.ts'
import { useConversationOpening } from './use-conversation-opening.ts'
import { useFocusTargets, usePaneFocus } from './use-focus-targets.ts'
import { useLiveSync } from './use-live-sync.ts'
import { useMerged } from './use-merged.ts'
import { useScreenWidth } from './use-screen-width.ts'
import { type Panel, useSelection } from './use-selection.ts'

export const LiveChatPage = () => {
  const tab = useAtomValue(statusTabAtom)
  const search = useAtomValue(searchAtom)
  const [dialog, setDialog] = useState<LiveChatDialog | null>(null)
  const { selectedId, messageId, jump, panel, select, follow, leave, showPanel, showMessage } = useSelection()
  const { oneColumn, covering, onPhone } = useScreenWidth()
  const targets = useFocusTargets()
  const { focusComposer, focusList } = targets

  const { connections, connected } = useConnectionState()
  const filter = useShownFilter(connections)
  const counts = useQuery(countsQuery(filter.line)).data
  const list = useContactList(tab, search, filter)
  const contact = useContact(selectedId)
  const line = conversationLine(connections, contact.data?.connectionId ?? null)
  const status = contact.data?.serviceStatus
  const paneKey = useMerged(selectedId, contact.data, follow)
  useLiveSync(contact.data)
  useIdleLoading()
  useScreenTitle('Bate Papo ao vivo')

  const isSearching = search !== ''
  const opening = useConversationOpening({ select, selectedId, status, isSearching, filter, onPhone, targets })
  const onNext = (counts?.waiting ?? 0) > 0 ? () => void opening.openNext() : null
  const onPanel = (next: Panel | null) => showPanel(next, { covering })
  const back = () => {
    leave()
    focusList()
  }

  // Navigation meanwhile wins.
  const inView = useRef(selectedId)
  inView.current = selectedId
  const actions = useConversationActions(selectedId, ({ contactId, status, isFocusFree }) => {
    if (status !== 'attending' || contactId !== inView.current) return
    opening.showTab('attending')
    if (!oneColumn && isFocusFree) focusComposer()
  })
  const [isRecording, setRecording] = useRecording(paneKey)
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
  const pane =
    selectedId === null ? (
      <NothingSelected onNext={onNext} />
    ) : (
      <ConversationPane
        key={paneKey}
        contactId={selectedId}
        contact={contact.data}
        isFresh={contact.isFetchedAfterMount}
        error={contact.error}
        {...{ messageId, jump, line, actions, isRecording, panel }}
        refs={targets.conversation}
        onRecord={setRecording}
        onPanel={onPanel}
        onShowMessage={(id) => showMessage(id, { covering })}
        onBack={back}
        onLeaveComposer={oneColumn ? back : focusList}
        onNext={onNext}
        onRetryContact={() => void contact.refetch()}
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
      pane={pane}
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
