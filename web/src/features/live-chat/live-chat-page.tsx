import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import type { Connection } from '@prosa/contracts/http/connections'
import type { ContactAdded, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { useAtom, useSetAtom } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import ForumRounded from '~icons/ic/round-forum'
import { EmptyState } from '../../components/empty-state.tsx'
import { KeyHint } from '../../components/key-hint.tsx'
import { lazyPart, useIdleLoading } from '../../components/lazy-part.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { connectionsQuery, isConnected, wayOut } from '../../lib/connections.ts'
import { sentenceOf } from '../../lib/http.ts'
import { pollingPace } from '../../lib/live-pace.ts'
import { useLine } from '../../lib/socket.tsx'
import { useScreenTitle } from '../../lib/tab-title.ts'
import { useToast } from '../../lib/toast.tsx'
import { contactCountsQuery } from '../../lib/waiting.ts'
import { longestWaiting, polling } from './api.ts'
import { cursorAtom, isAwaitingLineAtom, searchAtom, statusTabAtom } from './atoms.ts'
import { ConversationPane } from './conversation-pane.tsx'
import { ConversationsColumn } from './conversations-column.tsx'
import { LiveChatBanners } from './live-chat-banners.tsx'
import type { Shortcut } from './shortcuts.ts'
import { useContact } from './use-contact.ts'
import { useContactList } from './use-contact-list.ts'
import { useConversationActions } from './use-conversation-actions.ts'
import { useLiveSync } from './use-live-sync.ts'
import { useMerged } from './use-merged.ts'
import { type Select, useSelection } from './use-selection.ts'
import { useShortcuts } from './use-shortcuts.ts'

const AddContactDialog = lazyPart(async () => (await import('./add-contact-dialog.tsx')).AddContactDialog)
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** A key that was used, whatever came of it. */
const used = (action: () => unknown) => (): true => {
  action()
  return true
}

/** Undefined until they are read: then all is taken to be well. */
const useConnections = (): Connection[] | undefined =>
  useQuery({ ...connectionsQuery, refetchInterval: () => pollingPace(polling.connections) }).data

/** Opens a conversation with the caret where it is answered; on a phone, whose keyboard would cover it, the conversation itself. */
const useOpening = (select: Select, selectedId: string | null, focusComposer: () => boolean, onPhone: boolean) => {
  const asked = useRef(false)
  const focus = () => {
    if (!onPhone) focusComposer()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the conversation that was asked for is there
  useEffect(() => {
    if (asked.current) focus()
    asked.current = false
  }, [selectedId])
  return (contactId: string, messageId?: string) => {
    select(contactId, messageId)
    if (contactId === selectedId) focus()
    else asked.current = true
  }
}

/** 'Bate Papo ao vivo': the conversations on the left, the one in view on the right; one of the two on a phone. */
export const LiveChatPage = () => {
  const [tab, setTab] = useAtom(statusTabAtom)
  const [search, setSearch] = useAtom(searchAtom)
  const [cursor, setCursor] = useAtom(cursorAtom)
  const [dialog, setDialog] = useState<'add' | 'shortcuts' | null>(null)
  const { selectedId, messageId, jump, panel, select, follow, leave, showPanel, showMessage } = useSelection()
  const [isRecording, setRecording] = useState(false)
  const oneColumn = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'))
  const covering = useMediaQuery<Theme>((theme) => theme.breakpoints.down('lg'))
  const onPhone = useMediaQuery('(pointer: coarse)') && oneColumn
  const columnRef = useRef<HTMLElement>(null)
  const listRef = useRef<HTMLElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const paneRef = useRef<HTMLElement>(null)
  const composerRef = useRef<HTMLTextAreaElement>(null)
  const attachRef = useRef<HTMLButtonElement>(null)
  const findRef = useRef<HTMLInputElement>(null)
  const doors = useMemo(() => ({ composer: composerRef, attach: attachRef, find: findRef }), [])

  const connections = useConnections()
  const connected = connections?.some(isConnected)
  const way = connections ? wayOut(connections) : 'open'
  const counts = useQuery(contactCountsQuery).data
  const list = useContactList(tab, search)
  const contact = useContact(selectedId)
  const toast = useToast()
  const paneKey = useMerged(selectedId, contact.data, follow)
  const setAwaiting = useSetAtom(isAwaitingLineAtom)
  const line = useLine()
  const isAwaiting = way === 'waiting' || line === 'offline'
  useEffect(() => setAwaiting(isAwaiting), [isAwaiting, setAwaiting])
  useLiveSync(contact.data)
  useIdleLoading()
  useScreenTitle('Bate Papo ao vivo')

  const showTab = (status: ServiceStatus) => {
    setTab(status)
    setCursor(null)
  }
  const chooseTab = (status: ServiceStatus) => {
    setSearch('')
    showTab(status)
  }
  // What a search found may stand in any tab: that one is behind the results from then on.
  const [foundId, setFoundId] = useState<string | null>(null)
  const status = contact.data?.serviceStatus
  useEffect(() => {
    if (foundId === null || foundId !== selectedId || !status) return
    setFoundId(null)
    setTab(status)
  }, [foundId, selectedId, status, setTab])
  const goToTab = (status: ServiceStatus) => {
    chooseTab(status)
    if (status === tab) focusList()
    else wentByKey.current = true
  }
  const focusComposer = () => {
    composerRef.current?.focus()
    return document.activeElement === composerRef.current
  }
  const open = useOpening(select, selectedId, focusComposer, onPhone)
  const focusList = useCallback(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const place = listRef.current ?? columnRef.current
    place?.focus()
  }, [])
  // Another tab has a list of its own, which keeps the keys of whoever went there by one.
  const wentByKey = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the other list is there
  useEffect(() => {
    if (wentByKey.current) focusList()
    wentByKey.current = false
  }, [tab, focusList])
  const back = () => {
    leave()
    focusList()
  }

  // Whoever has gone on to something else by then is left there.
  const inView = useRef(selectedId)
  inView.current = selectedId
  const actions = useConversationActions(selectedId, ({ contactId, status, isFocusFree }) => {
    if (status !== 'attending' || contactId !== inView.current) return
    showTab('attending')
    if (!oneColumn && isFocusFree) focusComposer()
  })

  const openNext = async () => {
    try {
      const { contact: next } = await longestWaiting(selectedId)
      if (!next) return toast({ kind: 'info', title: 'Ninguém mais aguarda' })
      setSearch('')
      setTab('waiting')
      setCursor(next.id)
      open(next.id)
    } catch (error) {
      toast({
        kind: 'error',
        title: 'A próxima conversa não pôde ser aberta',
        description: sentenceOf(error, 'Tente de novo em instantes.'),
      })
    }
  }
  const someoneWaits = (counts?.waiting ?? 0) > 0

  const onAdded = ({ id, serviceStatus }: ContactAdded) => {
    setDialog(null)
    setSearch('')
    setTab(serviceStatus)
    setCursor(id)
    open(id)
  }

  const moveCursor = (step: 1 | -1): boolean => {
    const from = list.contacts.findIndex(({ id }) => id === (cursor ?? selectedId))
    const to = list.contacts[from === -1 ? 0 : Math.min(Math.max(from + step, 0), list.contacts.length - 1)]
    if (!to) return false
    setCursor(to.id)
    listRef.current?.focus()
    return true
  }

  const canWrite = selectedId !== null && way !== 'none'
  const handlers: Record<Shortcut, () => boolean> = {
    down: () => moveCursor(1),
    up: () => moveCursor(-1),
    open: () => {
      if (cursor === null) return false
      open(cursor)
      return true
    },
    waiting: used(() => goToTab('waiting')),
    attending: used(() => goToTab('attending')),
    resolved: used(() => goToTab('resolved')),
    accept: () =>
      (status === 'waiting' || status === 'resolved') &&
      !actions.isPending &&
      used(status === 'waiting' ? actions.accept : actions.reopen)(),
    resolve: () => status === 'attending' && !actions.isPending && used(actions.resolve)(),
    next: () => someoneWaits && used(openNext)(),
    reply: focusComposer,
    write: focusComposer,
    search: used(() => searchRef.current?.focus()),
    attach: () => attachRef.current !== null && !attachRef.current.disabled && used(() => attachRef.current?.click())(),
    record: () => canWrite && used(() => setRecording(true))(),
    find: () =>
      selectedId !== null &&
      used(() => (panel === 'search' ? findRef.current?.focus() : showPanel('search', { covering })))(),
    details: () => selectedId !== null && used(() => showPanel(panel === 'details' ? null : 'details', { covering }))(),
    back: () => selectedId !== null && used(back)(),
    help: used(() => setDialog('shortcuts')),
  }
  useShortcuts({
    handle: (shortcut) => handlers[shortcut](),
    list: columnRef,
    write: selectedId === null ? null : focusComposer,
  })

  // In one column the list hides when a conversation opens: the focus goes along.
  useEffect(() => {
    if (oneColumn && selectedId !== null && document.activeElement !== composerRef.current)
      paneRef.current?.focus({ preventScroll: true })
  }, [oneColumn, selectedId])

  // A recording belongs to the conversation it was made for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends when another conversation opens
  useEffect(() => setRecording(false), [paneKey])

  const listHidden = { xs: selectedId === null ? 'flex' : 'none', md: 'flex' }
  const paneHidden = { xs: selectedId === null ? 'none' : 'flex', md: 'flex' }
  return (
    <Box
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'grid',
        gridTemplateRows: 'auto minmax(0, 1fr)',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'var(--list-width) minmax(0, 1fr)' },
        gridTemplateAreas: { xs: '"banner" "content"', md: '"list banner" "list pane"' },
      }}
    >
      <ScreenReaderText as="h1">Bate Papo ao vivo</ScreenReaderText>
      <Box
        component="section"
        ref={columnRef}
        tabIndex={-1}
        aria-label="Conversas"
        sx={{
          gridArea: { xs: 'content', md: 'list' },
          display: listHidden,
          // Without the app's header the list would be higher and lose how far it is scrolled: one attribute hides both, so that no
          // layout, not even one in the middle of a commit, sees the list without the header.
          '&:has(~ [data-own-header])': { display: { xs: 'none', md: 'flex' } },
          flexDirection: 'column',
          minHeight: 0,
          bgcolor: 'surface',
          borderRight: { md: '1px solid' },
          borderColor: { md: 'divider' },
          outline: 'none',
        }}
      >
        <ConversationsColumn
          tab={tab}
          counts={counts}
          list={list}
          connected={connected !== false}
          selectedId={selectedId}
          listRef={listRef}
          searchRef={searchRef}
          onTab={chooseTab}
          onSelect={(id, messageId) => {
            setCursor(id)
            setFoundId(search === '' ? null : id)
            open(id, messageId)
          }}
          onFocusList={focusList}
          onAddContact={() => setDialog('add')}
          onShowShortcuts={() => setDialog('shortcuts')}
        />
      </Box>
      <Box sx={{ gridArea: 'banner', minWidth: 0 }}>
        <LiveChatBanners connections={connections} />
      </Box>
      <Box
        component="section"
        ref={paneRef}
        tabIndex={-1}
        aria-label="Conversa"
        data-own-header={selectedId !== null && contact.data ? '' : undefined}
        sx={{
          gridArea: { xs: 'content', md: 'pane' },
          display: paneHidden,
          flexDirection: 'column',
          minHeight: 0,
          outline: 'none',
        }}
      >
        {selectedId === null ? (
          <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', bgcolor: 'sunken' }}>
            <EmptyState
              icon={<ForumRounded />}
              title="Selecione uma conversa"
              sentence="Escolha alguém na lista para ler e responder."
              action={
                someoneWaits && (
                  <KeyHint title="Próxima conversa" keys={['N']}>
                    <Button variant="contained" onClick={() => void openNext()}>
                      Próxima conversa
                    </Button>
                  </KeyHint>
                )
              }
            />
          </Box>
        ) : (
          <ConversationPane
            key={paneKey}
            contactId={selectedId}
            messageId={messageId}
            jump={jump}
            contact={contact.data}
            isFresh={contact.isFetchedAfterMount}
            error={contact.error}
            connected={connected !== false}
            way={way}
            actions={actions}
            doors={doors}
            isRecording={isRecording}
            panel={panel}
            onRecord={setRecording}
            onPanel={(next) => showPanel(next, { covering })}
            onShowMessage={(id) => showMessage(id, { covering })}
            onBack={back}
            onLeaveComposer={oneColumn ? back : focusList}
            onNext={someoneWaits ? () => void openNext() : null}
            onRetryContact={() => void contact.refetch()}
          />
        )}
      </Box>
      {dialog === 'add' && <AddContactDialog open onClose={() => setDialog(null)} onAdded={onAdded} />}
      {dialog === 'shortcuts' && <ShortcutsDialog open onClose={() => setDialog(null)} />}
    </Box>
  )
}
