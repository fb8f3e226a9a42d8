import Box from '@mui/material/Box'
import type { ListedContact } from '@prosa/contracts/http/administration/admin-lists'
import { useState } from 'react'
import ContactsIcon from '~icons/ic/round-contacts'
import SearchIcon from '~icons/ic/round-search'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { phoneNumber } from '../../../lib/format/format.ts'
import type { StatusTone } from '../../../lib/format/status-tone.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { addressOf, call } from '../../../lib/http/call.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'

const statuses: Record<ListedContact['serviceStatus'], { label: string; tone: StatusTone }> = {
  waiting: { label: 'Aguardando', tone: 'busy' },
  attending: { label: 'Atendendo', tone: 'info' },
  resolved: { label: 'Resolvido', tone: 'good' },
}

const nameOf = ({ name, phone }: ListedContact) => name ?? (phoneNumber(phone) || 'Contato sem nome')

const columns: readonly Column<ListedContact>[] = [
  {
    title: 'Contato',
    cell: (contact) => (
      <>
        {nameOf(contact)}{' '}
        <WhyButton
          asAdmin
          of={{ kind: 'contact', id: contact.id, field: 'name' }}
          what={`Nome de ${nameOf(contact)}`}
        />
      </>
    ),
  },
  {
    title: 'Telefone',
    numeric: true,
    cell: (contact) => (
      <>
        {phoneNumber(contact.phone) || '–'}
        {contact.phone !== null && (
          <WhyButton
            asAdmin
            of={{ kind: 'contact', id: contact.id, field: 'phone' }}
            what={`Telefone de ${nameOf(contact)}`}
          />
        )}
      </>
    ),
  },
  {
    title: 'Status',
    cell: (contact) => (
      <>
        <StatusBadge {...statuses[contact.serviceStatus]} />
        <WhyButton
          asAdmin
          of={{ kind: 'contact', id: contact.id, field: 'status' }}
          what={`Status de ${nameOf(contact)}`}
        />
        {contact.serviceStatus === 'attending' && (
          <WhyButton
            asAdmin
            of={{ kind: 'contact', id: contact.id, field: 'attendant' }}
            what={`Quem atende ${nameOf(contact)}`}
          />
        )}
      </>
    ),
  },
  { title: 'Conta', cell: ({ account }) => account?.name ?? 'Conta excluída' },
  { title: 'Última atividade', numeric: true, cell: ({ lastActivity }) => wholeTime(lastActivity) },
]

/** Contacts of all tenants; the history records that an administrator read them. */
export const ContactsTab = () => {
  // Personal: in no address.
  const [search, setSearch] = useState('')
  const list = usePagedList<ListedContact>({
    queryKey: ['admin', 'contacts', search],
    load: (cursor, signal) =>
      search === ''
        ? call('GET /api/admin/contacts', { signal, query: { cursor } })
        : call('POST /api/admin/contacts/search', { body: { cursor, search } }),
  })
  const { historyAction, historyDrawer } = useHistoryDrawer()
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar
        search={{ label: 'Buscar por nome ou telefone', search, onSearch: setSearch }}
        csv={
          search === ''
            ? addressOf('GET /api/admin/contacts.csv')
            : { address: addressOf('POST /api/admin/contacts.csv', { body: { search } }), body: { search } }
        }
      />
      <DataTable
        label="Contatos"
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowName={nameOf}
        actions={(contact) => [historyAction({ kind: 'contact', id: contact.id, name: nameOf(contact) })]}
        empty={
          search ? (
            <EmptyState
              icon={<SearchIcon />}
              title="Nenhum contato encontrado"
              sentence="Procure pelo começo do nome ou do número."
            />
          ) : (
            <EmptyState
              icon={<ContactsIcon />}
              title="Nenhum contato ainda"
              sentence="Quem escreve para as contas aparece aqui."
            />
          )
        }
      />
      {historyDrawer}
    </Box>
  )
}
