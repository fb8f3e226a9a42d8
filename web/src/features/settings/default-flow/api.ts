import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { flowsQuery } from '../../../lib/flows.ts'
import { failedBecause } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'

export const defaultFlowQuery = queryOptions({
  queryKey: ['flows', 'default'],
  queryFn: () => call('GET /api/default-flow'),
  staleTime: 0,
})

export const useChooseDefaultFlow = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (flowId: string | null) => call('PUT /api/default-flow', { body: { flowId } }),
    onSuccess: (chosen) => {
      queries.setQueryData(defaultFlowQuery.queryKey, chosen)
      toast({ title: 'Sucesso', description: 'Fluxo padrão salvo com sucesso!', kind: 'success' })
    },
    onError: (error) =>
      toast({ title: 'Erro', description: failedBecause('Falha ao salvar o fluxo padrão', error), kind: 'error' }),
    onSettled: () => void queries.invalidateQueries({ queryKey: defaultFlowQuery.queryKey }),
  })
}

export const useTurnOnFlow = () => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (id: string) => call('PUT /api/flows/:id/on', { params: { id }, body: { isOn: true } }),
    onSuccess: (flow) => {
      queries.setQueryData(flowsQuery.queryKey, (known) => known?.map((each) => (each.id === flow.id ? flow : each)))
      toast({ title: 'Sucesso', description: 'Fluxo ligado com sucesso!', kind: 'success' })
    },
    onError: (error) =>
      toast({ title: 'Erro', description: failedBecause('Falha ao ligar fluxo', error), kind: 'error' }),
    onSettled: () => void queries.invalidateQueries({ queryKey: flowsQuery.queryKey }),
  })
}
