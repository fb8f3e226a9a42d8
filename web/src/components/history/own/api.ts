import type { TenantHistoryQuery } from '@prosa/contracts/http/accounts/tenant-history'
import type { HistoryThread } from '@prosa/contracts/http/history'
import { call } from '../../../lib/http/call.ts'
import { type PagedList, usePagedList } from '../../../lib/http/use-paged-list.ts'

/** What the team of Prosa does is pushed to nobody. */
const pollMs = 15_000

export type OwnHistoryFilters = Omit<TenantHistoryQuery, 'cursor'>

export const useOwnHistory = (filters: OwnHistoryFilters): PagedList<HistoryThread> =>
  usePagedList({
    queryKey: ['history', filters],
    load: (cursor, signal) => call('GET /api/history', { signal, query: { ...filters, cursor } }),
    refetchIntervalMs: pollMs,
  })

export const useConversationHistory = (id: string, withTexts: boolean): PagedList<HistoryThread> =>
  usePagedList({
    queryKey: ['history', 'conversation', id, withTexts],
    load: (cursor, signal) =>
      call('GET /api/whatsapp/contacts/:id/history', {
        signal,
        params: { id },
        query: { cursor, texts: withTexts ? 'true' : undefined },
      }),
    refetchIntervalMs: pollMs,
  })
