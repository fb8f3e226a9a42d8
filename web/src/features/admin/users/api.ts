import type { ListedUser, UserSort, UserStatus } from '@prosa/contracts/http/administration/admin-lists'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import { addressOf, call } from '../../../lib/http/call.ts'
import type { FoundFile } from '../../../lib/http/data-export.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'
import { useAdminCommand } from '../use-admin-command.ts'

export interface UserFilters {
  /** Personal: in no address. */
  search?: string | undefined
  status?: UserStatus | undefined
  from?: string | undefined
  to?: string | undefined
  sort?: UserSort
  order?: 'asc' | 'desc'
}

export const useUserList = (filters: UserFilters) =>
  usePagedList<ListedUser>({
    queryKey: ['admin', 'users', filters],
    load: (cursor, signal) =>
      filters.search === undefined
        ? call('GET /api/admin/users', { signal, query: { cursor, ...withoutSearch(filters) } })
        : call('POST /api/admin/users/search', { body: { cursor, ...filters } }),
  })

const withoutSearch = ({ search: _, ...filters }: UserFilters) => filters

export const usersFile = (filters: UserFilters): string | FoundFile =>
  filters.search === undefined
    ? addressOf('GET /api/admin/users.csv', { query: withoutSearch(filters) })
    : { address: addressOf('POST /api/admin/users.csv', { body: filters }), body: filters }

type Reasoned = { id: string; reason: string | undefined }

export const useExtendAccess = () =>
  useAdminCommand(
    ({ id, subscriptionEnd, reason }: Reasoned & { subscriptionEnd: string }) =>
      call('POST /api/admin/users/:id/extend', {
        params: { id },
        body: { subscriptionEnd, subscriptionStatus: 'active', reason },
      }),
    'Acesso do usuário estendido com sucesso!',
    'Falha ao estender acesso do usuário',
  )

export const useSetAnalyst = () =>
  useAdminCommand(
    ({ id, isAnalyst, reason }: Reasoned & { isAnalyst: boolean }) =>
      call('POST /api/admin/users/:id/analyst', { params: { id }, body: { isAnalyst, reason } }),
    'Papel de analista atualizado com sucesso!',
    'Falha ao mudar o papel de analista',
  )

export const useSetStatus = () =>
  useAdminCommand(
    ({ id, subscriptionStatus, reason }: Reasoned & { subscriptionStatus: SubscriptionStatus }) =>
      call('POST /api/admin/users/:id/status', { params: { id }, body: { subscriptionStatus, reason } }),
    'Status do usuário atualizado com sucesso!',
    'Falha ao atualizar status do usuário',
  )

export const useRemoveAccess = () =>
  useAdminCommand(
    ({ id, reason }: Reasoned) =>
      call('POST /api/admin/users/:id/remove-access', {
        params: { id },
        body: { subscriptionStatus: 'expired', subscriptionEnd: new Date().toISOString(), reason },
      }),
    'Acesso do usuário removido com sucesso!',
    'Falha ao remover acesso do usuário',
  )

export const useEraseUser = () =>
  useAdminCommand(
    ({ id, reason }: { id: string; reason: string }) =>
      call('DELETE /api/admin/users/:id', { params: { id }, body: { reason } }),
    'Usuário excluído com sucesso!',
    'Falha ao excluir usuário',
  )

export interface ProfileChanges {
  firstName?: string
  lastName?: string
  email?: string
  password?: string
}

export const useUpdateProfile = () =>
  useAdminCommand(
    ({ id, reason, changes }: Reasoned & { changes: ProfileChanges }) =>
      call('POST /api/admin/users/:id/update-profile', { params: { id }, body: { ...changes, reason } }),
    'Perfil do usuário atualizado com sucesso!',
    'Falha ao atualizar perfil do usuário',
  )
