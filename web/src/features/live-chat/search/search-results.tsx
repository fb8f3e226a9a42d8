import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode, Ref } from 'react'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { contactName } from '../contact-name.ts'
import { ContactRow } from '../list/contact-row.tsx'
import { useNow } from '../use-now.ts'
import { Asking, Failed, FoundMessage, MessagesState, MoreWords, moreMessages, ResultLine } from './found-message.tsx'
import type { SearchItem, SearchResultsState } from './use-search-results.ts'

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
      {messages.isPending || messages.failed ? (
        <MessagesState messages={messages} />
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

export const SearchResults = ({ results, selectedId, ref, onClear }: Props) => {
  const { items, activeId, messages, search, listId, choose } = results
  const now = useNow(20_000)

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
    return (
      <ResultLine key={item.domId} domId={item.domId} active={active} onChoose={() => choose(item)}>
        {item.kind === 'message' ? (
          <FoundMessage
            found={item.found}
            title={contactName({ name: item.found.contactName, phone: item.found.contactPhone })}
            speaker={item.found.sender === 'user' ? 'Você' : undefined}
            now={now}
          />
        ) : (
          <MoreWords>{item.kind === 'more-contacts' ? 'Mais conversas' : moreMessages(messages)}</MoreWords>
        )}
      </ResultLine>
    )
  }

  const isUnknown = results.isOld || results.contactsFailed !== null
  if (items.length === 0 && !isUnknown && !messages.isPending && !messages.failed)
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
        onKeyDown={results.onListKeyDown}
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
