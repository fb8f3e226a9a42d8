import type { HistoryQuery, HistoryThread } from '@prosa/contracts/http/history'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { type PagedList, usePagedList } from '../../../lib/http/use-paged-list.ts'

/** Administrators get no pushes about contacts and connections. */
const pollMs = 15_000

export type HistoryFilters = Omit<HistoryQuery, 'cursor'>

export const useHistory = (filters: HistoryFilters): PagedList<HistoryThread> =>
  usePagedList({
    queryKey: ['admin', 'history', filters],
    load: (cursor, signal) => call('GET /api/admin/history', { signal, query: { ...filters, cursor } }),
    refetchIntervalMs: pollMs,
  })

export const usePastState = (user: string, at: string) =>
  useQuery({
    queryKey: ['admin', 'history-state', user, at],
    queryFn: ({ signal }) => call('GET /api/admin/history/state', { signal, query: { user, at } }),
  })
