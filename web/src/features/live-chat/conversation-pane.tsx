import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { historyQuery } from './api.ts'
import { Composer } from './composer.tsx'
import { ConversationHeader } from './conversation-header.tsx'
import { ConversationHistory } from './conversation-history.tsx'
import { HistorySkeleton } from './history-skeleton.tsx'
import type { ConversationActions } from './use-conversation-actions.ts'
import { useContactRoom } from './use-live-sync.ts'
import { useOutbox } from './use-outbox.ts'

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

interface Props {
  contactId: string
  contact: Contact | undefined
  /** Why the contact could not be read. */
  error: unknown
  connected: boolean
  actions: ConversationActions
  composerRef: Ref<HTMLTextAreaElement>
  onBack: () => void
  /** Esc in the composer. */
  onLeaveComposer: () => void
  onNext: (() => void) | null
  onRetryContact: () => void
}

/** The conversation in view: who, what was said, and where the answer is written. */
export const ConversationPane = ({
  contactId,
  contact,
  error,
  connected,
  actions,
  composerRef,
  onBack,
  onLeaveComposer,
  onNext,
  onRetryContact,
}: Props) => {
  const history = useQuery(historyQuery(contactId))
  const { send } = useOutbox()
  useContactRoom(contactId)

  if (!contact && error) {
    const gone = error instanceof ApiProblem && error.status === 404
    return (
      <EmptyState
        title={gone ? 'Esta conversa não existe mais' : 'Não foi possível abrir a conversa'}
        sentence={gone ? 'Escolha outra na lista.' : sentenceOf(error, 'Tente novamente.')}
        action={
          <Button variant="outlined" onClick={gone ? onBack : onRetryContact}>
            {gone ? 'Voltar para as conversas' : 'Tentar novamente'}
          </Button>
        }
      />
    )
  }
  // With unread messages only a fresh reading knows where they begin.
  const ready = contact && history.data && (history.isFetchedAfterMount || contact.unreadCount === 0)
  return (
    <>
      {contact ? (
        <ConversationHeader contact={contact} actions={actions} onBack={onBack} onNext={onNext} />
      ) : (
        <HeaderSkeleton />
      )}
      {ready ? (
        <ConversationHistory contact={contact} loaded={history.data} />
      ) : history.isError ? (
        <Box sx={{ flex: 1, minHeight: 0, bgcolor: 'sunken' }}>
          <EmptyState
            title="As mensagens não puderam ser carregadas"
            sentence={sentenceOf(history.error, 'Nada se perdeu. Tente novamente.')}
            action={
              <Button variant="outlined" onClick={() => void history.refetch()}>
                Tentar novamente
              </Button>
            }
          />
        </Box>
      ) : (
        <HistorySkeleton />
      )}
      <Composer
        contactId={contactId}
        connected={connected}
        inputRef={composerRef}
        onSend={(text) => send(contactId, text)}
        onLeave={onLeaveComposer}
      />
    </>
  )
}
