import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** Another window may have published since. */
export const flowVersionsQuery = (flowId: string) =>
  queryOptions({
    queryKey: ['flow-versions', flowId],
    queryFn: () => call('GET /api/flows/:id/versions', { params: { id: flowId } }),
    staleTime: 0,
  })

/** A version never changes once it is published. */
export const flowVersionQuery = (flowId: string, version: number) =>
  queryOptions({
    queryKey: ['flow-versions', flowId, version],
    queryFn: () => call('GET /api/flows/:id/versions/:version', { params: { id: flowId, version: String(version) } }),
  })

/** Makes the draft what a version is. Refused where the draft was saved by somebody else since `basedOn`. */
export const useRestoreVersion = (flowId: string) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ version, basedOn }: { version: number; basedOn: number }) =>
      call('POST /api/flows/:id/versions/:version/restore', {
        params: { id: flowId, version: String(version) },
        body: { basedOn },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['flows'] }),
  })
}
