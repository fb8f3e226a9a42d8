import { queryOptions } from '@tanstack/react-query'
import { flowsQuery } from '../../../lib/account/flows.ts'
import { call } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

export const defaultFlowQuery = queryOptions({
  queryKey: ['flows', 'default'],
  queryFn: ({ signal }) => call('GET /api/default-flow', { signal }),
  staleTime: 0,
})

export const useChooseDefaultFlow = () =>
  useCommand({
    run: (flowId: string | null) => call('PUT /api/default-flow', { body: { flowId } }),
    apply: (queries, chosen) => queries.setQueryData(defaultFlowQuery.queryKey, chosen),
    done: 'Fluxo padrão salvo com sucesso!',
    failed: 'Falha ao salvar o fluxo padrão',
    rereads: [defaultFlowQuery.queryKey],
  })

export const useTurnOnFlow = () =>
  useCommand({
    run: (id: string) => call('PUT /api/flows/:id/on', { params: { id }, body: { isOn: true } }),
    apply: (queries, flow) =>
      queries.setQueryData(flowsQuery.queryKey, (known) => known?.map((each) => (each.id === flow.id ? flow : each))),
    done: 'Fluxo ligado com sucesso!',
    failed: 'Falha ao ligar fluxo',
    rereads: [flowsQuery.queryKey],
  })
