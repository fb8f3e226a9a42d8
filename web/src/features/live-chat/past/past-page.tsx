import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { Queue } from '@prosa/contracts/http/live-chat'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { sentenceOfPast } from '../../../components/past/api.ts'
import { isInstant } from '../../../components/past/moment-names.ts'
import { PastFrame } from '../../../components/past/past-frame.tsx'
import { useScreenTitle } from '../../../lib/browser/tab-title.ts'
import { contactParameter, momentParameter, paths } from '../../../lib/paths.ts'
import { ContactRow } from '../list/contact-row.tsx'
import { QueueBar } from '../list/queue-bar.tsx'
import { StatusTabs, tabId, tabOf, tabPanelId } from '../list/status-tabs.tsx'
import { LiveChatLayout } from '../live-chat-layout.tsx'
import { contactsThenQuery, countsThenQuery, marksQuery } from './api.ts'
import { PastChanges } from './past-changes.tsx'
import { PastConversation } from './past-conversation.tsx'

const presentAddress = (contactId: string | null): string =>
  contactId === null ? paths.liveChat : `${paths.liveChat}?${new URLSearchParams({ [contactParameter]: contactId })}`

/** The address carries moment and conversation; stepping through time replaces it, so that back leaves the past. */
const usePastAddress = () => {
  const [parameters, setParameters] = useSearchParams()
  const change = useCallback(
    (name: string, value: string | null, replace: boolean) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === null) after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace },
      ),
    [setParameters],
  )
  return {
    contactId: parameters.get(contactParameter),
    goTo: useCallback((em: string) => change(momentParameter, em, true), [change]),
    open: useCallback((id: string | null) => change(contactParameter, id, id !== null), [change]),
  }
}

interface ColumnProps {
  em: string
  nowMs: number
  selectedId: string | null
  onSelect: (id: string) => void
}

const PastColumn = ({ em, nowMs, selectedId, onSelect }: ColumnProps) => {
  const [tab, setTab] = useState<Queue>('waiting')
  const counts = useQuery(countsThenQuery(em)).data
  const list = useInfiniteQuery(contactsThenQuery(em, tab))
  const contacts = list.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <StatusTabs current={tab} counts={counts} onChange={setTab} />
      {(tab === 'waiting' || tab === 'bot') && <QueueBar queue={tab} counts={counts} onQueue={setTab} />}
      <Box
        id={tabPanelId}
        role="tabpanel"
        aria-labelledby={tabId(tabOf(tab))}
        aria-busy={list.isPending}
        sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}
      >
        {list.isSuccess && contacts.length === 0 && (
          <EmptyState title="Nenhuma conversa" sentence="Neste momento não havia conversas nesta fila." />
        )}
        <Box
          role="listbox"
          aria-label="Conversas como eram"
          // Arrows move through the conversations, as in the present list.
          tabIndex={0}
          onKeyDown={(event: React.KeyboardEvent) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step === undefined) return
            event.preventDefault()
            const next = contacts[Math.max(0, contacts.findIndex(({ id }) => id === selectedId) + step)]
            if (next) onSelect(next.id)
          }}
        >
          {contacts.map((contact, index) => (
            <ContactRow
              key={contact.id}
              contact={contact}
              now={nowMs}
              selected={contact.id === selectedId}
              underCursor={false}
              position={index + 1}
              isPast
              onSelect={onSelect}
            />
          ))}
        </Box>
        {list.hasNextPage && (
          <Button fullWidth disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Mais conversas
          </Button>
        )}
      </Box>
    </>
  )
}

/** Live chat as it was, read only: no composer, no commands, nothing that moves by itself. */
export const PastPage = ({ em }: { em: string }) => {
  const { contactId, goTo, open } = usePastAddress()
  const [isComparing, setComparing] = useState(false)
  const marks = useQuery(marksQuery(em, null))
  useScreenTitle('Bate Papo como era')
  if (marks.error)
    return (
      <EmptyState
        title="Este momento não pode ser mostrado"
        sentence={sentenceOfPast(marks.error, 'Não foi possível ler o passado. Tente novamente.')}
        action={
          <Button variant="contained" component={Link} to={presentAddress(contactId)}>
            Voltar para agora
          </Button>
        }
      />
    )
  const at = marks.data?.marks[marks.data.current ?? 0]?.at
  const nowMs = Date.parse(isInstant(em) ? em : (at ?? '')) || Date.now()
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
      <PastFrame
        {...{ em, isComparing }}
        present={presentAddress(contactId)}
        marks={marks.data}
        onMoment={goTo}
        onCompare={() => setComparing(!isComparing)}
      />
      {isComparing && <PastChanges em={em} contactId={contactId} />}
      <LiveChatLayout
        isOpen={contactId !== null}
        hasOwnHeader={false}
        columnRef={null}
        paneRef={null}
        column={<PastColumn {...{ em, nowMs }} selectedId={contactId} onSelect={open} />}
        banners={null}
        pane={
          contactId === null ? (
            <EmptyState
              title="Selecione uma conversa"
              sentence="Escolha alguém na lista para ler o que foi dito até então."
            />
          ) : (
            <PastConversation key={contactId} {...{ em, contactId, nowMs }} onBack={() => open(null)} />
          )
        }
      >
        {null}
      </LiveChatLayout>
    </Box>
  )
}
