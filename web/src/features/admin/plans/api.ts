import type { PlanBody } from '@prosa/contracts/http/accounts/plans'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

export const plansQuery = queryOptions({
  queryKey: ['admin', 'plans'],
  queryFn: ({ signal }) => call('GET /api/admin/kiwify-plans', { signal }),
  // Another administrator may have changed them.
  staleTime: 0,
})

const usePlanCommand = <Input>(run: (input: Input) => Promise<unknown>, done: string, failed: string) =>
  useCommand({
    run,
    done: { title: done },
    failed: (error) => refusalOr(error, failed),
    rereads: [plansQuery.queryKey],
  })

export const useCreatePlan = () =>
  usePlanCommand(
    (body: PlanBody) => call('POST /api/admin/kiwify-plans', { body }),
    'Plano criado',
    'Erro ao criar plano',
  )

export const useRevisePlan = (id: string) =>
  usePlanCommand(
    (body: PlanBody) => call('PUT /api/admin/kiwify-plans/:id', { params: { id }, body }),
    'Plano atualizado',
    'Erro ao atualizar plano',
  )

export const useDeletePlan = (id: string) =>
  usePlanCommand(
    (reason: string) => call('DELETE /api/admin/kiwify-plans/:id', { params: { id }, body: { reason } }),
    'Plano excluído',
    'Erro ao excluir plano',
  )
