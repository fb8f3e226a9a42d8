import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import BoltIcon from '~icons/ic/round-bolt'
import SearchIcon from '~icons/ic/round-search'
import { CardGrid, CardGridSkeleton } from '../../../components/layout/card-grid.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { useQueryThen } from '../../../components/past/moment-shown.tsx'
import { findQuickReplies, quickRepliesQuery } from '../../../lib/account/quick-replies.ts'
import { call } from '../../../lib/http/call.ts'
import { SettingsBlock } from '../settings-block.tsx'
import { QuickReplyCard } from './quick-reply-card.tsx'
import { QuickReplyDialog } from './quick-reply-dialog.tsx'

const fewReplies = 6

const Search = ({ text, onText }: { text: string; onText: (text: string) => void }) => (
  <OutlinedInput
    value={text}
    onChange={(event) => onText(event.target.value)}
    placeholder="Buscar respostas rápidas"
    slotProps={{ input: { 'aria-label': 'Buscar respostas rápidas', enterKeyHint: 'search' } }}
    startAdornment={<SearchIcon aria-hidden="true" sx={{ color: 'text.secondary' }} />}
    sx={{ maxWidth: 'var(--form-width)', '& input::placeholder': { opacity: 1, color: 'text.secondary' } }}
  />
)

type Shown = { reply?: QuickReply } | null

const Cards = ({ replies, onEdit }: { replies: QuickReply[]; onEdit: (reply: QuickReply) => void }) => {
  const [text, setText] = useState('')
  const found = text.trim() === '' ? replies : findQuickReplies(replies, text)
  return (
    <>
      {replies.length > fewReplies && <Search text={text} onText={setText} />}
      {found.length === 0 ? (
        <Panel>
          <EmptyState
            title={`Nenhuma resposta rápida encontrada para "${text.trim()}"`}
            action={
              <Button variant="outlined" onClick={() => setText('')}>
                Limpar busca
              </Button>
            }
          />
        </Panel>
      ) : (
        <CardGrid>
          {found.map((reply) => (
            <QuickReplyCard key={reply.id} reply={reply} onEdit={() => onEdit(reply)} />
          ))}
        </CardGrid>
      )}
    </>
  )
}

export const QuickRepliesSection = () => {
  const {
    data: replies,
    error,
    isPending,
    refetch,
  } = useQueryThen(quickRepliesQuery, (em, signal) => call('GET /api/quick-replies', { query: { em }, signal }))
  const [shown, setShown] = useState<Shown>(null)
  const add = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setShown({})}>
      Nova Resposta Rápida
    </Button>
  )
  return (
    <SettingsBlock title="Respostas Rápidas" action={replies && replies.length > 0 && add}>
      {isPending ? (
        <CardGridSkeleton cards={3} />
      ) : !replies ? (
        <NotReadPanel title="As respostas rápidas não puderam ser lidas" error={error} onRetry={() => void refetch()} />
      ) : replies.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<BoltIcon />}
            title="Nenhuma resposta rápida ainda"
            sentence="Guarde aqui o que você mais repete. No bate-papo, digite / e escolha a resposta."
            action={add}
          />
        </Panel>
      ) : (
        <Cards replies={replies} onEdit={(reply) => setShown({ reply })} />
      )}
      {shown && <QuickReplyDialog reply={shown.reply} onClose={() => setShown(null)} />}
    </SettingsBlock>
  )
}
