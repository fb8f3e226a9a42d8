import type { AdminTransaction } from '@prosa/contracts/http/transactions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { plural } from '../../../lib/format.ts'
import { refusalOr } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { usePagedList } from '../../../lib/use-paged-list.ts'

export interface TransactionFilters {
  search: string
  unclaimed: boolean
}

export const useTransactionList = ({ search, unclaimed }: TransactionFilters) =>
  usePagedList<AdminTransaction>({
    queryKey: ['admin', 'transactions', search, unclaimed],
    load: (cursor) =>
      call('GET /api/admin/transactions', {
        query: { cursor, search: search || undefined, unclaimed: unclaimed ? 'true' : undefined },
      }),
  })

type Reasoned = { id: string; reason: string }

/** What an administrator decides about a transaction. Lists and sums follow. */
const useDecision = <Wish>(decide: (wish: Wish) => Promise<unknown>, done: string, failed: string) => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: decide,
    onSuccess: () => toast({ title: 'Sucesso', description: done, kind: 'success' }),
    onError: (error) => toast({ title: 'Erro', description: refusalOr(error, failed), kind: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  })
}

export const useDeleteTransaction = () =>
  useDecision(
    ({ id, reason }: Reasoned) =>
      call('DELETE /api/admin/transactions/:id', { params: { id }, body: { reason: reason.trim() || undefined } }),
    'Transação excluída com sucesso!',
    'Falha ao excluir transação',
  )

export const useAssignTransaction = () =>
  useDecision(
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

export const useEraseBuyer = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: { email: string; reason: string; confirmation: string }) =>
      call('POST /api/admin/buyers/erase', { body }),
    onSuccess: (erased) => toast({ title: 'Sucesso', description: erasedWords(erased), kind: 'success' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  })
}
