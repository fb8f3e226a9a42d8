import type { PlanBody } from '@prosa/contracts/http/plans'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { refusalOr } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'

export const plansQuery = queryOptions({
  queryKey: ['admin', 'plans'],
  queryFn: () => call('GET /api/admin/kiwify-plans'),
  // Another administrator may have changed them.
  staleTime: 0,
})

const useOutcomes = (done: string, failed: string) => {
  const toast = useToast()
  const queries = useQueryClient()
  return {
    onSuccess: () => toast({ title: done, kind: 'success' }),
    onError: (error: Error) => toast({ title: 'Erro', description: refusalOr(error, failed), kind: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: plansQuery.queryKey }),
  }
}

export const useCreatePlan = () =>
  useMutation({
    mutationFn: (body: PlanBody) => call('POST /api/admin/kiwify-plans', { body }),
    ...useOutcomes('Plano criado', 'Erro ao criar plano'),
  })

export const useRevisePlan = (id: string) =>
  useMutation({
    mutationFn: (body: PlanBody) => call('PUT /api/admin/kiwify-plans/:id', { params: { id }, body }),
    ...useOutcomes('Plano atualizado', 'Erro ao atualizar plano'),
  })

export const useDeletePlan = (id: string) =>
  useMutation({
    mutationFn: (reason: string) => call('DELETE /api/admin/kiwify-plans/:id', { params: { id }, body: { reason } }),
    ...useOutcomes('Plano excluído', 'Erro ao excluir plano'),
  })
