import Box from '@mui/material/Box'
import type { ListedMessage } from '@prosa/contracts/http/administration/admin-lists'
import { useState } from 'react'
import ForumIcon from '~icons/ic/round-forum'
import SearchIcon from '~icons/ic/round-search'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import { TableSearch, TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { phoneNumber } from '../../../lib/format/format.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { addressOf, call } from '../../../lib/http/call.ts'
import type { FoundFile } from '../../../lib/http/data-export.ts'
import { type PagedList, usePagedList } from '../../../lib/http/use-paged-list.ts'

interface MessageFilters {
  /** Both may be personal: in no address. */
  search: string | undefined
  contact: string | undefined
  status: NonNullable<ListedMessage['status']> | undefined
  sender: ListedMessage['sender'] | undefined
  from: string | undefined
  to: string | undefined
}

const addressed = ({ status, sender, from, to }: MessageFilters) => ({ status, sender, from, to })
const isSearch = ({ search, contact }: MessageFilters) => search !== undefined || contact !== undefined

const useMessagesOfAll = (filters: MessageFilters): PagedList<ListedMessage> =>
  usePagedList<ListedMessage>({
    queryKey: ['admin', 'messages', filters],
    load: (cursor, signal) =>
      isSearch(filters)
        ? call('POST /api/admin/messages/search', { body: { cursor, ...filters } })
        : call('GET /api/admin/messages', { signal, query: { cursor, ...addressed(filters) } }),
  })

const messagesFile = (filters: MessageFilters): string | FoundFile =>
  isSearch(filters)
    ? { address: addressOf('POST /api/admin/messages.csv', { body: filters }), body: filters }
    : addressOf('GET /api/admin/messages.csv', { query: addressed(filters) })

const contactOf = ({ contactName, contactPhone }: ListedMessage) => contactName ?? (phoneNumber(contactPhone) || '–')

const Words = ({ text }: { text: string }) => (
  <Box
    component="span"
    sx={{ display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden' }}
  >
    {text}
  </Box>
)

const statusNames: Record<NonNullable<ListedMessage['status']>, string> = {
  queued: 'Na fila',
  sent: 'Enviada',
  delivered: 'Entregue',
  read: 'Lida',
  failed: 'Falhou',
}
const statuses = Object.keys(statusNames) as (keyof typeof statusNames)[]
const statusOptions = [
  { value: '', label: 'Todas' },
  ...statuses.map((value) => ({ value, label: statusNames[value] })),
]
const senders = ['contact', 'user'] as const
const senderOptions = [
  { value: '', label: 'Todos' },
  { value: 'contact', label: 'Contato' },
  { value: 'user', label: 'Usuário' },
]

/** The key names the chat and the message. */
const StatusOf = ({ status, key }: ListedMessage) => {
  if (status === null) return '–'
  const [id = '', ...part] = key.split(':')
  const tick = { kind: 'contact', id, field: 'tick', part: part.join(':') } as const
  return (
    <>
      {statusNames[status]} <WhyButton asAdmin of={tick} what="Tique da mensagem" />
    </>
  )
}

const columns: readonly Column<ListedMessage>[] = [
  { title: 'Mensagem', cell: ({ content }) => <Words text={content} /> },
  { title: 'De', cell: ({ sender }) => (sender === 'contact' ? 'Contato' : 'Usuário') },
  { title: 'Contato', cell: contactOf },
  { title: 'Conta', secondary: true, cell: ({ account }) => account?.name ?? 'Conta excluída' },
  { title: 'Situação', cell: StatusOf },
  { title: 'Quando', numeric: true, cell: ({ timestamp }) => wholeTime(timestamp) },
]

const useFilters = () => {
  const [search, setSearch] = useState('')
  const [contact, setContact] = useState('')
  const [statusText, setStatus] = useAddressFilter('situacao')
  const [senderText, setSender] = useAddressFilter('de-quem')
  const [from, setFrom] = useAddressFilter('de')
  const [to, setTo] = useAddressFilter('ate')
  const filters: MessageFilters = {
    search: search || undefined,
    contact: contact || undefined,
    status: statuses.find((known) => known === statusText),
    sender: senders.find((known) => known === senderText),
    from: from || undefined,
    to: to || undefined,
  }
  return { filters, search, setSearch, contact, setContact, setStatus, setSender, from, setFrom, to, setTo }
}

/** Messages of all tenants, 50 a page; the history records that an administrator read them. */
export const MessagesTab = () => {
  const { filters, search, setSearch, contact, setContact, setStatus, setSender, ...days } = useFilters()
  const list = useMessagesOfAll(filters)
  const isFiltered = Object.values(filters).some((each) => each !== undefined)
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar
        search={{ label: 'Buscar nas mensagens', search, onSearch: setSearch }}
        filters={
          <>
            <TableSearch label="Contato, por nome ou número" search={contact} onSearch={setContact} />
            <SelectField label="Situação" value={filters.status ?? ''} onChange={setStatus} options={statusOptions} />
            <SelectField
              label="Quem escreveu"
              value={filters.sender ?? ''}
              onChange={setSender}
              options={senderOptions}
            />
            <Box sx={{ display: 'flex', gap: 3 }}>
              <DayFilters from={days.from} to={days.to} onFrom={days.setFrom} onTo={days.setTo} />
            </Box>
          </>
        }
        csv={messagesFile(filters)}
      />
      <DataTable
        label="Mensagens"
        columns={columns}
        list={list}
        rowKey={({ key }) => key}
        rowName={contactOf}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchIcon />}
              title="Nenhuma mensagem encontrada"
              sentence="Procure pelo começo das palavras, ou mude os filtros."
            />
          ) : (
            <EmptyState
              icon={<ForumIcon />}
              title="Nenhuma mensagem ainda"
              sentence="O que as contas e seus contatos escrevem aparece aqui."
            />
          )
        }
      />
    </Box>
  )
}
