import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { type RefObject, useEffect, useId } from 'react'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { contactName } from '../contact-name.ts'
import { PanelFrame } from '../panel-frame.tsx'
import { useNow } from '../use-now.ts'
import { Asking, FoundMessage, MessagesState, MoreWords, moreMessages, ResultLine } from './found-message.tsx'
import { SearchField } from './search-field.tsx'
import type { FoundMessages, MessageItem } from './use-found-messages.ts'
import { useResultWalk } from './use-result-walk.ts'

/** '1 mensagem', 'Mais de 20 mensagens'. */
const countOf = ({ items, hasMore }: FoundMessages): string => {
  const count = items.filter(({ kind }) => kind === 'message').length
  return `${hasMore ? 'Mais de ' : ''}${count} ${count === 1 ? 'mensagem' : 'mensagens'}`
}

interface SummaryProps {
  search: string
  messages: FoundMessages
  onClear: () => void
}

const Summary = ({ search, messages, onClear }: SummaryProps) => {
  if (!messages.searched)
    return (
      <Typography sx={{ px: 4, py: 3, color: 'text.secondary' }}>
        Escreva ao menos duas letras do que foi dito nesta conversa.
      </Typography>
    )
  if (messages.items.length > 0)
    return (
      <Typography
        variant="caption"
        component="p"
        sx={{ px: 4, pt: 3, pb: 1, fontWeight: 600, color: 'text.secondary' }}
      >
        {countOf(messages)}
      </Typography>
    )
  if (messages.isPending || messages.failed || messages.isOld) return null
  return (
    <EmptyState
      title="Nenhuma mensagem encontrada"
      sentence={`Nada com “${search}” nesta conversa.`}
      action={
        <Button variant="outlined" onClick={onClear}>
          Limpar busca
        </Button>
      }
    />
  )
}

interface ResultsProps {
  listId: string
  messages: FoundMessages
  walk: ReturnType<typeof useResultWalk<MessageItem>>
  name: string
}

const Results = ({ listId, messages, walk, name }: ResultsProps) => {
  const now = useNow(20_000)
  return (
    <Box
      id={listId}
      role="listbox"
      aria-label="Mensagens encontradas"
      aria-activedescendant={walk.activeId}
      tabIndex={0}
      onKeyDown={walk.onListKeyDown}
      sx={{ outlineOffset: '-2px' }}
    >
      {messages.items.map((item) => (
        <ResultLine
          key={item.domId}
          domId={item.domId}
          active={item.domId === walk.activeId}
          onChoose={() => walk.choose(item)}
        >
          {item.kind === 'message' ? (
            <FoundMessage found={item.found} title={item.found.sender === 'user' ? 'Você' : name} now={now} />
          ) : (
            <MoreWords>{moreMessages(messages)}</MoreWords>
          )}
        </ResultLine>
      ))}
    </Box>
  )
}

interface Props {
  contact: Contact
  search: string
  messages: FoundMessages
  inputRef: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  onShowMessage: (messageId: string) => void
  onClose: () => void
}

export const ConversationSearch = ({
  contact,
  search,
  messages,
  inputRef,
  onSearch,
  onShowMessage,
  onClose,
}: Props) => {
  const listId = `${useId()}-results`
  const { items, isOld } = messages

  const onChoose = (item: MessageItem) => {
    if (item.kind === 'more-messages') {
      messages.fetchMore()
      return 'stayed'
    }
    onShowMessage(item.found.messageId)
    return 'opened'
  }
  const walk = useResultWalk({ search, items, isOld, onChoose })

  const clear = () => {
    onSearch('')
    inputRef.current?.focus()
  }

  // Selected: typing replaces the last search.
  useEffect(() => {
    inputRef.current?.focus()
    inputRef.current?.select()
  }, [inputRef])

  return (
    <PanelFrame label="Busca na conversa" heading="Buscar na conversa" close="Fechar busca" onClose={onClose}>
      <Box sx={{ flex: 'none', px: 4, pb: 3, borderBottom: '1px solid', borderColor: 'divider' }}>
        <SearchField
          label="Buscar nesta conversa"
          inputRef={inputRef}
          search={search}
          onSearch={onSearch}
          results={{ listId, items, ...walk }}
        />
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', overscrollBehavior: 'contain' }}>
        <Box role="status">
          <Summary search={search} messages={messages} onClear={clear} />
        </Box>
        {items.length > 0 && <Results listId={listId} messages={messages} walk={walk} name={contactName(contact)} />}
        {items.length === 0 && isOld && !messages.failed && <Asking label="Buscando..." />}
        <MessagesState messages={messages} />
      </Box>
    </PanelFrame>
  )
}
