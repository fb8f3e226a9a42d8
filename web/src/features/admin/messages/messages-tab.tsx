import Box from '@mui/material/Box'
import type { ListedMessage } from '@prosa/contracts/http/administration/admin-lists'
import ForumIcon from '~icons/ic/round-forum'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { dayAndTime, phoneNumber } from '../../../lib/format/format.ts'
import { addressOf, call } from '../../../lib/http/call.ts'
import { serverNow } from '../../../lib/http/server-clock.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'

const contactOf = ({ contactName, contactPhone }: ListedMessage) => contactName ?? (phoneNumber(contactPhone) || '–')

const Words = ({ text }: { text: string }) => (
  <Box
    component="span"
    sx={{ display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden' }}
  >
    {text}
  </Box>
)

/** The key names the chat and the message. */
const SenderOf = ({ sender, key }: ListedMessage) => {
  const [id = '', ...part] = key.split(':')
  if (sender === 'contact') return 'Contato'
  const tick = { kind: 'contact', id, field: 'tick', part: part.join(':') } as const
  return (
    <>
      Usuário <WhyButton asAdmin of={tick} what="Tique da mensagem" />
    </>
  )
}

const columnsAt = (nowMs: number): readonly Column<ListedMessage>[] => [
  { title: 'Mensagem', cell: ({ content }) => <Words text={content} /> },
  { title: 'De', cell: SenderOf },
  { title: 'Contato', cell: contactOf },
  { title: 'Conta', cell: ({ account }) => account?.name ?? 'Conta excluída' },
  { title: 'Quando', numeric: true, cell: ({ timestamp }) => dayAndTime(timestamp, nowMs) },
]

/** Messages of all tenants, 50 a page; the history records that an administrator read them. */
export const MessagesTab = () => {
  const list = usePagedList<ListedMessage>({
    queryKey: ['admin', 'messages'],
    load: (cursor, signal) => call('GET /api/admin/messages', { signal, query: { cursor } }),
  })
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar csv={addressOf('GET /api/admin/messages.csv')} />
      <DataTable
        label="Mensagens"
        columns={columnsAt(serverNow() ?? Date.now())}
        list={list}
        rowKey={({ key }) => key}
        rowName={contactOf}
        empty={
          <EmptyState
            icon={<ForumIcon />}
            title="Nenhuma mensagem ainda"
            sentence="O que as contas e seus contatos escrevem aparece aqui."
          />
        }
      />
    </Box>
  )
}
