import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import type { WhyField } from '@prosa/contracts/http/history'
import type { Role } from '@prosa/contracts/values/role'
import { useState } from 'react'
import EditIcon from '~icons/ic/round-edit'
import PeopleIcon from '~icons/ic/round-group'
import ManageIcon from '~icons/ic/round-manage-accounts'
import SearchIcon from '~icons/ic/round-search'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { PersonAvatar } from '../../../components/person-avatar.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import { TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { plainDate } from '../../../lib/format/format.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { useAddressSorting } from '../../../lib/forms/use-address-sorting.ts'
import { serverNow } from '../../../lib/http/server-clock.ts'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { type UserFilters, usersFile, useUserList } from './api.ts'
import { EditProfileDialog } from './edit-profile-dialog.tsx'
import { ManageUserDialog } from './manage-user-dialog.tsx'
import { UserStatus } from './user-status.tsx'

const roleNames: Record<Role, string> = { admin: 'Administrador', analyst: 'Analista' }
const nameOf = ({ firstName, lastName }: ListedUser) => `${firstName} ${lastName}`

type WhyProps = { user: ListedUser; field: WhyField<'user'>; what: string; children?: string }

const Why = ({ user, field, what, ...shown }: WhyProps) => (
  <WhyButton asAdmin of={{ kind: 'user', id: user.id, field }} what={`${what} de ${nameOf(user)}`} {...shown} />
)

const WhoWhy = ({ user }: { user: ListedUser }) => (
  <Box
    component="span"
    // On a phone, where a row is a card, in a line of its own.
    sx={{ display: 'flex', flexWrap: 'wrap', flexBasis: '100%', alignItems: 'center', color: 'text.secondary' }}
  >
    <Typography component="span" variant="caption" aria-hidden>
      Por quê?
    </Typography>
    <Why user={user} field="name" what="Nome">
      Nome
    </Why>
    <Why user={user} field="email" what="E-mail">
      E-mail
    </Why>
    {user.roles.length > 0 && (
      <Why user={user} field="role" what="Papéis">
        Papéis
      </Why>
    )}
  </Box>
)

const UserName = ({ user }: { user: ListedUser }) => (
  <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 3, minWidth: 0 }}>
    <PersonAvatar name={nameOf(user)} photo={user.profileImageUrl} size="small" />
    <Box component="span" sx={{ display: 'block', minWidth: 0 }}>
      {nameOf(user)}
      {user.roles.map((role) => (
        <Typography key={role} component="span" variant="caption" sx={{ ml: 2, color: 'primary.main' }}>
          {roleNames[role]}
        </Typography>
      ))}
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
        {user.email}
      </Typography>
    </Box>
  </Box>
)

const columnsAt = (nowMs: number): readonly Column<ListedUser>[] => [
  {
    title: 'Usuário',
    sort: 'name',
    cell: (user) => <UserName user={user} />,
    beside: (user) => <WhoWhy user={user} />,
  },
  {
    title: 'Status',
    cell: (user) => (
      <>
        <UserStatus user={user} nowMs={nowMs} />
        <Why user={user} field="status" what="Status" />
      </>
    ),
  },
  {
    title: 'Acesso até',
    sort: 'end',
    numeric: true,
    cell: (user) => (
      <>
        {user.subscriptionEnd ? plainDate(user.subscriptionEnd) : '–'}
        <Why user={user} field="access" what="Acesso até" />
      </>
    ),
  },
  { title: 'Cadastro', sort: 'created', numeric: true, cell: ({ createdAt }) => plainDate(createdAt) },
  {
    title: 'E-mail',
    secondary: true,
    cell: (user) => (
      <>
        {user.isEmailConfirmed ? 'Confirmado' : 'Não confirmado'}
        <Why user={user} field="emailConfirmed" what="Confirmação do e-mail" />
      </>
    ),
  },
]

const sorts = ['created', 'name', 'end'] as const
const statuses = ['active', 'expired', 'cancelled', 'ending'] as const

const statusOptions = [
  { value: '', label: 'Todas' },
  { value: 'active', label: 'Ativos' },
  { value: 'expired', label: 'Expirados' },
  { value: 'cancelled', label: 'Cancelados' },
  { value: 'ending', label: 'Expiram em até 7 dias' },
]

interface Opened {
  dialog: 'manage' | 'edit'
  user: ListedUser
}

export const UsersTab = () => {
  const [search, setSearch] = useState('')
  const [statusText, setStatus] = useAddressFilter('situacao')
  const [from, setFrom] = useAddressFilter('de')
  const [to, setTo] = useAddressFilter('ate')
  const [opened, setOpened] = useState<Opened | null>(null)
  const sorting = useAddressSorting(sorts, 'created')
  const status = statuses.find((known) => known === statusText)
  const filters: UserFilters = {
    search: search || undefined,
    status,
    from: from || undefined,
    to: to || undefined,
    ...sorting.query,
  }
  const isFiltered = search !== '' || status !== undefined || from !== '' || to !== ''
  const list = useUserList(filters)
  const { historyAction, historyDrawer } = useHistoryDrawer()
  const close = () => setOpened(null)
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar
        search={{ label: 'Buscar por nome ou e-mail', search, onSearch: setSearch }}
        filters={
          <>
            <SelectField label="Situação" value={status ?? ''} onChange={setStatus} options={statusOptions} />
            <DayFilters from={from} to={to} onFrom={setFrom} onTo={setTo} />
          </>
        }
        csv={usersFile(filters)}
      />
      <DataTable
        label="Usuários"
        columns={columnsAt(serverNow() ?? Date.now())}
        list={list}
        sorting={sorting}
        onOpen={(user) => setOpened({ dialog: 'manage', user })}
        rowKey={({ id }) => id}
        rowName={nameOf}
        actions={(user) => [
          { label: 'Gerenciar', icon: <ManageIcon />, onPress: () => setOpened({ dialog: 'manage', user }) },
          { label: 'Editar perfil', icon: <EditIcon />, onPress: () => setOpened({ dialog: 'edit', user }) },
          historyAction({ kind: 'user', id: user.id, name: nameOf(user) }),
        ]}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchIcon />}
              title="Nenhum usuário encontrado"
              sentence="Procure pelo começo do nome, do sobrenome ou do e-mail, ou mude os filtros."
            />
          ) : (
            <EmptyState icon={<PeopleIcon />} title="Nenhum usuário ainda" />
          )
        }
      />
      {historyDrawer}
      {opened?.dialog === 'manage' && <ManageUserDialog user={opened.user} onClose={close} />}
      {opened?.dialog === 'edit' && <EditProfileDialog user={opened.user} onClose={close} />}
    </Box>
  )
}
