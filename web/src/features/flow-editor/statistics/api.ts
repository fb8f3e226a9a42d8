import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'

const refreshMs = 30_000

export const flowStatisticsQuery = (flowId: string) =>
  queryOptions({
    queryKey: ['flow-statistics', flowId],
    queryFn: ({ signal }) => call('GET /api/flows/:id/statistics', { signal, params: { id: flowId } }),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  })
