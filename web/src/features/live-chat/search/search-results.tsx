import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { MessageFound } from '@prosa/contracts/http/live-chat'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { dayAndTime } from '../../../lib/format.ts'
import { sentenceOf } from '../../../lib/http.ts'
import { contactName } from '../contact-name.ts'
import { ContactRow } from '../contact-row.tsx'
import { useNow } from '../use-now.ts'
import { MarkedExcerpt } from './marked-excerpt.tsx'
import type { SearchItem, SearchResultsState } from './use-search-results.ts'

const line = (active: boolean) =>
  ({
    px: 4,
    py: 2.5,
    cursor: 'pointer',
    borderBottom: '1px solid',
    borderColor: 'divider',
    bgcolor: 'surface',
    boxShadow: active ? 'inset 3px 0 0 var(--primary)' : undefined,
    '@media (hover: hover)': { '&:hover': { bgcolor: 'background.default' } },
  }) as const

const twoLines = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 2,
  overflow: 'hidden',
  overflowWrap: 'anywhere',
} as const

const Message = ({ found, now }: { found: MessageFound; now: number }) => (
  <>
    <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2 }}>
      <Typography noWrap component="span" variant="subtitle2" sx={{ flex: 1 }}>
        {contactName({ name: found.contactName, phone: found.contactPhone })}
      </Typography>
      <Typography component="time" dateTime={found.timestamp} variant="caption" sx={{ color: 'text.secondary' }}>
        {dayAndTime(found.timestamp, now)}
      </Typography>
    </Box>
    <Typography component="p" sx={{ ...twoLines, color: 'text.secondary' }}>
      {found.sender === 'user' && 'Você: '}
      <MarkedExcerpt excerpt={found.excerpt} />
    </Typography>
  </>
)

const Group = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
  <Box role="group" aria-labelledby={id}>
    <Typography
      id={id}
      role="presentation"
      variant="caption"
      component="div"
      sx={{ px: 4, pt: 3, pb: 1, fontWeight: 600, color: 'text.secondary', bgcolor: 'surface' }}
    >
      {label}
    </Typography>
    {children}
  </Box>
)

const Asking = ({ label }: { label: string }) => (
  <Box role="status" aria-label={label} sx={{ px: 4, py: 3 }}>
    <Skeleton variant="text" width="50%" />
    <Skeleton variant="text" width="85%" />
  </Box>
)

const Failed = ({ title, error, onAgain }: { title: string; error: unknown; onAgain: () => void }) => (
  <Box role="status" sx={{ px: 4, py: 3, color: 'text.secondary' }}>
    <Typography variant="subtitle2" component="p" sx={{ color: 'text.primary' }}>
      {title}
    </Typography>
    <Typography>{sentenceOf(error, 'Tente de novo em instantes.')}</Typography>
    <Button size="small" variant="outlined" onClick={onAgain} sx={{ mt: 2 }}>
      Tentar de novo
    </Button>
  </Box>
)

/** What stands below the list while something is not, or could not be, looked through. */
const State = ({ results }: { results: SearchResultsState }) => {
  const { items, isOld, contactsFailed, messages } = results
  return (
    <>
      {contactsFailed && (
        <Failed
          title="As conversas não puderam ser buscadas"
          error={contactsFailed.error}
          onAgain={contactsFailed.askAgain}
        />
      )}
      {messages.searched && messages.isPending ? (
        <Asking label="Buscando nas mensagens..." />
      ) : messages.searched && messages.isError ? (
        <Failed
          title="As mensagens não puderam ser buscadas"
          error={messages.error}
          onAgain={() => void (messages.data ? messages.fetchNextPage() : messages.refetch())}
        />
      ) : (
        items.length === 0 && isOld && <Asking label="Buscando..." />
      )}
    </>
  )
}

interface Props {
  results: SearchResultsState
  selectedId: string | null
  ref: Ref<HTMLElement>
  onClear: () => void
}

/** What a search found: contacts, and messages, of all conversations. */
export const SearchResults = ({ results, selectedId, ref, onClear }: Props) => {
  const { items, activeId, messages, search, listId, choose, move } = results
  const now = useNow(20_000)

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView?.({ block: 'nearest' })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent) => {
    if (results.onKeyDown(event) !== null || event.ctrlKey || event.metaKey || event.altKey) return
    // As in the list of conversations; in the search box these are letters.
    const key = event.key.toLowerCase()
    if (key !== 'j' && key !== 'k') return
    event.preventDefault()
    move(key === 'j' ? 1 : -1)
  }

  const isMessage = ({ kind }: SearchItem) => kind === 'message' || kind === 'more-messages'
  const contactItems = items.filter((item) => !isMessage(item))
  const messageItems = items.filter(isMessage)

  const show = (item: SearchItem, index: number) => {
    const active = item.domId === activeId
    if (item.kind === 'contact')
      return (
        <ContactRow
          key={item.domId}
          contact={item.contact}
          now={now}
          selected={item.contact.id === selectedId}
          underCursor={active}
          saysStatus
          position={index + 1}
          onSelect={() => choose(item)}
        />
      )
    const words =
      item.kind === 'more-contacts' ? 'Mais conversas' : messages.isFetchingNextPage ? 'Buscando...' : 'Mais resultados'
    return (
      <Box
        key={item.domId}
        id={item.domId}
        role="option"
        aria-selected={active}
        onClick={() => choose(item)}
        sx={line(active)}
      >
        {item.kind === 'message' ? (
          <Message found={item.found} now={now} />
        ) : (
          <Typography variant="subtitle2" component="span" sx={{ color: 'primary.main' }}>
            {words}
          </Typography>
        )}
      </Box>
    )
  }

  const isUnknown = results.isOld || results.contactsFailed !== null
  if (items.length === 0 && !isUnknown && !(messages.searched && (messages.isPending || messages.isError)))
    return (
      <EmptyState
        title="Nenhuma conversa encontrada"
        sentence={`Nada com “${search}” nos nomes, nos telefones e nas mensagens.`}
        action={
          <Button variant="outlined" onClick={onClear}>
            Limpar busca
          </Button>
        }
      />
    )
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', overscrollBehavior: 'contain' }}>
      <Box
        ref={ref}
        id={listId}
        role="listbox"
        aria-label="Resultados da busca"
        aria-activedescendant={activeId}
        tabIndex={0}
        onKeyDown={onKeyDown}
        sx={{ outlineOffset: '-2px' }}
      >
        {contactItems.length > 0 && (
          <Group id={`${listId}-contacts`} label="Conversas">
            {contactItems.map(show)}
          </Group>
        )}
        {messageItems.length > 0 && (
          <Group id={`${listId}-messages`} label="Mensagens">
            {messageItems.map(show)}
          </Group>
        )}
      </Box>
      <State results={results} />
    </Box>
  )
}
