import type { AdminTransaction, TransactionSort } from '@prosa/contracts/http/accounts/transactions'
import type { TransactionStatus } from '@prosa/contracts/values/kiwify'
import { queryOptions } from '@tanstack/react-query'
import { plural } from '../../../lib/format/format.ts'
import { addressOf, call } from '../../../lib/http/call.ts'
import type { FoundFile } from '../../../lib/http/data-export.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'
import { useAdminCommand } from '../use-admin-command.ts'

export interface TransactionFilters {
  /** A buyer's name or e-mail: in no address. */
  search: string
  unclaimed: boolean
  withoutPlan: boolean
  hidden: boolean
  status: TransactionStatus | undefined
  from: string
  to: string
  sort?: TransactionSort
  order?: 'asc' | 'desc'
}

const queryOf = ({ search: _, unclaimed, withoutPlan, hidden, from, to, ...query }: TransactionFilters) => ({
  ...query,
  from: from || undefined,
  to: to || undefined,
  hidden: hidden ? ('true' as const) : undefined,
  unclaimed: unclaimed ? ('true' as const) : undefined,
  withoutPlan: withoutPlan ? ('true' as const) : undefined,
})

export const useTransactionList = (filters: TransactionFilters) =>
  usePagedList<AdminTransaction>({
    queryKey: ['admin', 'transactions', filters],
    load: (cursor, signal) =>
      filters.search === ''
        ? call('GET /api/admin/transactions', { signal, query: { cursor, ...queryOf(filters) } })
        : call('POST /api/admin/transactions/search', { body: { cursor, ...bodyOf(filters) } }),
  })

const bodyOf = (filters: TransactionFilters) => ({ ...queryOf(filters), search: filters.search })

export const transactionsFile = (filters: TransactionFilters): string | FoundFile =>
  filters.search === ''
    ? addressOf('GET /api/admin/transactions.csv', { query: queryOf(filters) })
    : {
        address: addressOf('POST /api/admin/transactions.csv', { body: bodyOf(filters) }),
        body: bodyOf(filters),
      }

type Reasoned = { id: string; reason: string }

export const useDeleteTransaction = (id: string) =>
  useAdminCommand(
    (reason: string) =>
      call('DELETE /api/admin/transactions/:id', { params: { id }, body: { reason: reason.trim() || undefined } }),
    'Transação excluída com sucesso!',
    'Falha ao excluir transação',
  )

export const useRestoreTransaction = (id: string) =>
  useAdminCommand(
    (reason: string) => call('POST /api/admin/transactions/:id/restore', { params: { id }, body: { reason } }),
    'A transação voltou às listas.',
    'Falha ao trazer a transação de volta',
  )

export const offeredPlansQuery = queryOptions({
  queryKey: ['admin', 'plans'],
  queryFn: ({ signal }) => call('GET /api/admin/kiwify-plans', { signal }),
  staleTime: 0,
})

export const useAssignPlan = () =>
  useAdminCommand(
    ({ id, planId, reason }: Reasoned & { planId: string }) =>
      call('POST /api/admin/transactions/:id/plan', { params: { id }, body: { planId, reason } }),
    'Plano da compra escolhido com sucesso!',
    'Falha ao escolher o plano da compra',
  )

export const useAssignTransaction = () =>
  useAdminCommand(
    ({ id, email, reason }: Reasoned & { email: string }) =>
      call('POST /api/admin/transactions/:id/assign', {
        params: { id },
        body: { email, reason: reason.trim() || undefined },
      }),
    'Compra entregue à conta com sucesso!',
    'Falha ao entregar a compra à conta',
  )

const erasedWords = ({ orders, deliveries }: { orders: number; deliveries: number }): string =>
  orders + deliveries === 0
    ? 'Não havia compras nem avisos com este e-mail. O que chegar será apagado.'
    : `Dados de ${plural(orders, 'compra', 'compras')} e ${plural(deliveries, 'aviso', 'avisos')} apagados. O que chegar com este e-mail também será.`

export const useEraseBuyer = () =>
  useCommand({
    run: (body: { email: string; reason: string; confirmation: string }) =>
      call('POST /api/admin/buyers/erase', { body }),
    done: erasedWords,
    rereads: [['admin']],
  })
