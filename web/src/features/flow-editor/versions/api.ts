import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

/** Another window may have published since. */
export const flowVersionsQuery = (flowId: string) =>
  queryOptions({
    queryKey: ['flow-versions', flowId],
    queryFn: ({ signal }) => call('GET /api/flows/:id/versions', { signal, params: { id: flowId } }),
    staleTime: 0,
  })

/** Published versions are immutable. */
export const flowVersionQuery = (flowId: string, version: number) =>
  queryOptions({
    queryKey: ['flow-versions', flowId, version],
    queryFn: ({ signal }) =>
      call('GET /api/flows/:id/versions/:version', { signal, params: { id: flowId, version: String(version) } }),
  })

/** Replaces the draft by a version; refused if another person saved since `basedOn`. */
export const useRestoreVersion = (flowId: string) =>
  useCommand({
    run: ({ version, basedOn }: { version: number; basedOn: number }) =>
      call('POST /api/flows/:id/versions/:version/restore', {
        params: { id: flowId, version: String(version) },
        body: { basedOn },
      }),
    rereads: [['flows']],
  })
