import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import ArrowBackRounded from '~icons/ic/round-arrow-back'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { PersonAvatar } from '../../../components/person-avatar.tsx'
import { phoneNumber } from '../../../lib/format/format.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { contactName } from '../contact-name.ts'
import type { BubbleActions } from '../conversation/bubble/bubble-actions.ts'
import { HistoryRowContent } from '../conversation/history-row-content.tsx'
import { historyRows } from '../conversation/history-rows.ts'
import { StatusBadge } from '../status-badge.tsx'
import { contactThenQuery, messagesThenQuery } from './api.ts'

const nothing = () => undefined

/** Nothing of the past can be changed. */
const noActions: BubbleActions = {
  onRetry: nothing,
  onDiscard: nothing,
  onReply: nothing,
  onReact: nothing,
  onChooseReaction: nothing,
  onOpenActions: nothing,
  onMore: nothing,
  onEdit: nothing,
  onCopy: nothing,
  onDelete: nothing,
  onJump: nothing,
  onOpenPicture: nothing,
  onRetryMedia: nothing,
}

interface Props {
  em: string
  contactId: string
  nowMs: number
  onBack: () => void
}

const PastHeader = ({ contact, onBack }: { contact: Contact; onBack: () => void }) => (
  <Box
    component="header"
    sx={{
      display: 'flex',
      alignItems: 'center',
      gap: 3,
      px: 4,
      minHeight: 'var(--row-height)',
      bgcolor: 'surface',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    <IconButton aria-label="Voltar para as conversas" onClick={onBack} sx={{ display: { md: 'none' } }}>
      <ArrowBackRounded />
    </IconButton>
    <PersonAvatar name={contact.name} phone={contact.phone} />
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography noWrap variant="subtitle1" component="h2">
        {contactName(contact)}
      </Typography>
      <Typography noWrap variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {contact.name && phoneNumber(contact.phone)}
      </Typography>
    </Box>
    <StatusBadge status={contact.serviceStatus} />
  </Box>
)

export const PastConversation = ({ em, contactId, nowMs, onBack }: Props) => {
  const { data: contact, error } = useQuery(contactThenQuery(em, contactId))
  const pages = useInfiniteQuery(messagesThenQuery(em, contactId))
  const messages = pages.data?.pages.toReversed().flatMap(({ items }) => items)
  const log = useRef<HTMLDivElement>(null)
  const latest = messages?.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment begins at its own end
  useLayoutEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight
  }, [em, latest])
  if (error)
    return (
      <EmptyState
        title="Esta conversa não estava aqui"
        sentence={sentenceOf(error, 'Não foi possível ler esta conversa. Tente novamente.')}
        action={<Button onClick={onBack}>Ver a lista</Button>}
      />
    )
  if (!contact) return <Box aria-busy sx={{ flex: 1, bgcolor: 'sunken' }} />
  const rows = historyRows(messages ?? [], {
    now: new Date(nowMs),
    firstUnreadId: contact.firstUnreadId ?? null,
    hasSeveralNumbers: false,
    reachesFirst: !pages.hasNextPage,
  })
  return (
    <>
      <PastHeader contact={contact} onBack={onBack} />
      <Box
        ref={log}
        role="log"
        aria-label={`Conversa com ${contactName(contact)} como era`}
        tabIndex={0}
        sx={{ flex: 1, minHeight: 0, overflowY: 'auto', bgcolor: 'sunken', pb: 4, containerType: 'inline-size' }}
      >
        {pages.hasNextPage && (
          <Box sx={{ textAlign: 'center', pt: 3 }}>
            <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              Mensagens anteriores
            </Button>
          </Box>
        )}
        {messages?.length === 0 && (
          <EmptyState title="Nenhuma mensagem ainda" sentence="Neste momento a conversa estava vazia." />
        )}
        {rows.map((row) => (
          <HistoryRowContent
            key={row.key}
            row={row}
            contactName={contactName(contact)}
            now={nowMs}
            atCursor={false}
            highlighted={false}
            onlyHere={false}
            readOnly
            actions={noActions}
          />
        ))}
      </Box>
    </>
  )
}
