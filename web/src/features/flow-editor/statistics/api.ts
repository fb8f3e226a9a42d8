import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** While a panel or the edges show them, in ms. */
const refreshMs = 30_000

/** What happened in a flow so far, at each of its nodes. */
export const flowStatisticsQuery = (flowId: string) =>
  queryOptions({
    queryKey: ['flow-statistics', flowId],
    queryFn: () => call('GET /api/flows/:id/statistics', { params: { id: flowId } }),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  })
