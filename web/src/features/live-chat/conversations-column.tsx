import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { ContactCounts, Queue } from '@prosa/contracts/http/live-chat'
import { useAtom, useAtomValue } from 'jotai'
import { memo, type ReactNode, type Ref, type RefObject } from 'react'
import { Link } from 'react-router-dom'
import KeyboardRounded from '~icons/ic/round-keyboard'
import PersonAddAlt1Rounded from '~icons/ic/round-person-add-alt-1'
import { KeyHint } from '../../components/key-hint.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { NotRead } from '../../components/notices/not-read-panel.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { paths } from '../../lib/paths.ts'
import { chosenAtom, searchAtom } from './atoms.ts'
import { ContactList } from './list/contact-list.tsx'
import type { ListFilter } from './list/list-filter.ts'
import { StatusTabs, statusTabs, tabId, tabOf, tabPanelId } from './list/status-tabs.tsx'
import type { ContactList as Contacts } from './list/use-contact-list.ts'
import type { LiveChatDialog } from './live-chat-dialogs.tsx'
import { SearchField } from './search/search-field.tsx'
import { type SearchResultsState, useSearchResults } from './search/use-search-results.ts'

const widths = ['52%', '38%', '61%', '45%', '56%', '40%', '48%']

const ContactListSkeleton = () => (
  <Box role="status" sx={{ flex: 1, minHeight: 0, overflow: 'hidden' }}>
    <ScreenReaderText>Carregando contatos...</ScreenReaderText>
    {widths.map((width) => (
      <Box
        key={width}
        aria-hidden
        sx={{
          height: 'var(--row-height)',
          display: 'flex',
          alignItems: 'center',
          gap: 3,
          px: 4,
          borderBottom: '1px solid',
          borderColor: 'divider',
        }}
      >
        <Skeleton variant="circular" sx={{ width: 'var(--avatar)', height: 'var(--avatar)', flexShrink: 0 }} />
        <Box sx={{ flex: 1 }}>
          <Skeleton variant="text" sx={{ width, typography: 'subtitle2' }} />
          <Skeleton variant="text" sx={{ width: '80%', typography: 'body1' }} />
        </Box>
      </Box>
    ))}
  </Box>
)

interface ContactSearchProps {
  inputRef: RefObject<HTMLInputElement | null>
  results: SearchResultsState
  onLeave: () => void
}

const ContactSearch = ({ inputRef, results, onLeave }: ContactSearchProps) => {
  const [search, setSearch] = useAtom(searchAtom)
  return (
    <Box sx={{ px: 4, pb: 2 }}>
      <KeyHint title="Buscar" keys={['/']} disableFocusListener>
        <SearchField
          label="Buscar atendimento e mensagens"
          inputRef={inputRef}
          search={search}
          onSearch={setSearch}
          results={results}
          onLeave={onLeave}
        />
      </KeyHint>
    </Box>
  )
}

const whatComesHere: Record<Queue, string> = {
  waiting: 'Quando um cliente escrever, a conversa aparece aqui.',
  attending: 'As conversas que você aceitar aparecem aqui.',
  resolved: 'As conversas que você finalizar aparecem aqui.',
  bot: 'As conversas que um fluxo conduz aparecem aqui.',
}

/** Load after the list; their space is reserved. */
const LabelsButton = lazyPart(
  async () => (await import('./labels/labels-button.tsx')).LabelsButton,
  <Box sx={{ width: 'var(--target)' }} />,
  true,
)
const AlertsButton = lazyPart(
  async () => (await import('./alerts/alerts-button.tsx')).AlertsButton,
  <Box sx={{ width: 'var(--target)' }} />,
  true,
)
const QueueBar = lazyPart(async () => (await import('./list/queue-bar.tsx')).QueueBar)
const ListBar = lazyPart(async () => (await import('./labels/list-bar.tsx')).ListBar)
const SearchResults = lazyPart(
  async () => (await import('./search/search-results.tsx')).SearchResults,
  <ContactListSkeleton />,
)

interface Props {
  tab: Queue
  filter: ListFilter
  counts: ContactCounts | undefined
  list: Contacts
  connected: boolean
  selectedId: string | null
  listRef: Ref<HTMLElement>
  searchRef: RefObject<HTMLInputElement | null>
  onTab: (queue: Queue) => void
  onSelect: (contactId: string, messageId?: string) => void
  onFocusList: () => void
  onDialog: (dialog: LiveChatDialog) => void
}

const NoConversation = ({
  tab,
  filter: { label, line },
  connected,
}: Pick<Props, 'tab' | 'filter' | 'connected'>): ReactNode =>
  label !== null || line !== null ? (
    <EmptyState
      title={`Nenhuma conversa ${label === null ? 'por este número' : 'com esta etiqueta'}`}
      sentence="Sem o filtro, as outras conversas voltam."
    />
  ) : connected ? (
    <EmptyState title="Nenhuma conversa encontrada" sentence={whatComesHere[tab]} />
  ) : (
    <EmptyState
      title="Nenhuma conversa encontrada"
      sentence="Conecte seu WhatsApp para ver suas conversas"
      action={
        <Button component={Link} to={paths.settings} variant="contained">
          Conectar WhatsApp
        </Button>
      }
    />
  )

/** Nothing in it changes with presses below. */
const ColumnHead = memo(({ onDialog }: Pick<Props, 'onDialog'>) => (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, pl: 4, pr: 2, pt: 2, pb: 1 }}>
    <Typography variant="h2" sx={{ flex: 1 }}>
      Conversas
    </Typography>
    <KeyHint title="Atalhos do teclado" keys={['?']}>
      <IconButton
        aria-label="Atalhos do teclado"
        color="secondary"
        onClick={() => onDialog('shortcuts')}
        sx={{ '@media (pointer: coarse)': { display: 'none' } }}
      >
        <KeyboardRounded />
      </IconButton>
    </KeyHint>
    <LabelsButton />
    <AlertsButton />
    <KeyHint title="Adicionar Contato">
      <IconButton aria-label="Adicionar Contato" color="secondary" onClick={() => onDialog('add')}>
        <PersonAddAlt1Rounded />
      </IconButton>
    </KeyHint>
  </Box>
))

export const ConversationsColumn = (props: Props) => {
  const { tab, filter, counts, list, connected, selectedId, listRef, searchRef } = props
  const tabName = tab === 'bot' ? 'Com o robô' : (statusTabs.find(({ status }) => status === tab)?.label ?? '')
  const isChoosing = useAtomValue(chosenAtom) !== null
  const [search, setSearch] = useAtom(searchAtom)
  const searching = search !== ''
  const results = useSearchResults({ search, list, line: filter.line, onSelect: props.onSelect })
  const clearSearch = () => {
    setSearch('')
    searchRef.current?.focus()
  }
  return (
    <>
      <ColumnHead onDialog={props.onDialog} />
      <ContactSearch inputRef={searchRef} results={results} onLeave={props.onFocusList} />
      <StatusTabs current={searching ? null : tab} counts={counts} onChange={props.onTab} />
      {!searching && (tab === 'waiting' || tab === 'bot') && (
        <QueueBar queue={tab} counts={counts} onQueue={props.onTab} />
      )}
      {(filter.label !== null || filter.line !== null || isChoosing) && (
        <ListBar filter={filter} contacts={list.contacts} />
      )}
      <Box
        id={tabPanelId}
        role={searching ? undefined : 'tabpanel'}
        aria-labelledby={searching ? undefined : tabId(tabOf(tab))}
        sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        {list.isPending ? (
          <ContactListSkeleton />
        ) : searching ? (
          <SearchResults results={results} selectedId={selectedId} ref={listRef} onClear={clearSearch} />
        ) : list.contacts.length > 0 ? (
          <ContactList
            key={`${tab} ${filter.label} ${filter.line}`}
            list={list}
            label={tabName}
            selectedId={selectedId}
            ref={listRef}
            onSelect={props.onSelect}
          />
        ) : list.isLoadingError ? (
          <NotRead
            title="As conversas não puderam ser carregadas"
            error={list.error}
            fallback="Nada se perdeu. Tente novamente."
            onRetry={() => void list.refetch()}
          />
        ) : (
          <NoConversation tab={tab} filter={filter} connected={connected} />
        )}
      </Box>
    </>
  )
}
