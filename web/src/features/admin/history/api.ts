import type { HistoryQuery, HistoryThread } from '@prosa/contracts/http/history'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { type PagedList, usePagedList } from '../../../lib/use-paged-list.ts'

/** Of what is not pushed to administrators: contacts and connections. */
const pollMs = 15_000

export type HistoryFilters = Omit<HistoryQuery, 'cursor'>

/** The timeline with these filters, newest first; what happens while it is shown comes in by itself. */
export const useHistory = (filters: HistoryFilters): PagedList<HistoryThread> =>
  usePagedList({
    queryKey: ['admin', 'history', filters],
    load: (cursor) => call('GET /api/admin/history', { query: { ...filters, cursor } }),
    refetchIntervalMs: pollMs,
  })

/** What was so of an account at a moment. */
export const usePastState = (user: string, at: string) =>
  useQuery({
    queryKey: ['admin', 'history-state', user, at],
    queryFn: () => call('GET /api/admin/history/state', { query: { user, at } }),
  })
