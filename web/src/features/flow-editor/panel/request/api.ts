import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/http/call.ts'
import { useCommand } from '../../../../lib/http/use-command.ts'

const secretsKey = ['flow-secrets']

export const flowSecretsQuery = queryOptions({
  queryKey: secretsKey,
  queryFn: ({ signal }) => call('GET /api/flow-secrets', { signal }),
})

export const useStoreSecret = () =>
  useCommand({
    run: ({ name, value }: { name: string; value: string }) =>
      call('PUT /api/flow-secrets/:name', { params: { name }, body: { value } }),
    done: ({ name }) => `Segredo ${name} guardado`,
    rereads: [secretsKey],
  })

export const useRemoveSecret = () =>
  useCommand({
    run: (name: string) => call('DELETE /api/flow-secrets/:name', { params: { name } }),
    done: ({ name }) => `Segredo ${name} excluído`,
    failed: 'Falha ao excluir o segredo',
    rereads: [secretsKey],
  })

/** What the last request that was sent by hand gave, for 'Testar', until the page is left. */
export const requestSampleKey = (nodeId: string) => ['flow-request-sample', nodeId]

export const useSendRequest = (nodeId: string) =>
  useCommand({
    run: (body: { request: FlowNodeOf<'request'>['data']; values: Record<string, string> }) =>
      call('POST /api/flow-requests/test', { body }),
    apply: (queries, { values, failure }) => {
      if (failure === null) queries.setQueryData(requestSampleKey(nodeId), values)
    },
  })
