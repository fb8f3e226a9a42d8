import type { HistoryQuery, HistoryRecord, HistoryThread } from '@prosa/contracts/http/history'
import type { Page } from '@prosa/contracts/http/page'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { type PagedList, usePagedList } from '../../../lib/http/use-paged-list.ts'

/** Administrators get no pushes about contacts and connections. */
const pollMs = 15_000

export interface HistoryFilters extends Omit<HistoryQuery, 'cursor'> {
  /** Personal: in no address. */
  text?: string | undefined
}

interface HistoryPage extends Page<HistoryThread> {
  /** Records that the text names. */
  found?: readonly HistoryRecord[]
}

const read = ({ text, search, ...filters }: HistoryFilters, cursor: string | undefined, signal: AbortSignal) =>
  text === undefined
    ? call('GET /api/admin/history', { signal, query: { ...filters, search, cursor } })
    : call('POST /api/admin/history/search', { body: { ...filters, text, cursor } })

export const useHistory = (filters: HistoryFilters): PagedList<HistoryThread> & { found: readonly HistoryRecord[] } => {
  const list = usePagedList<HistoryThread>({
    queryKey: ['admin', 'history', filters],
    load: (cursor, signal) => read(filters, cursor, signal),
    refetchIntervalMs: pollMs,
  })
  return { ...list, found: (list.firstPage as HistoryPage | undefined)?.found ?? [] }
}

export const useConversationOfTenant = (id: string, withTexts: boolean): PagedList<HistoryThread> =>
  usePagedList({
    queryKey: ['admin', 'history', 'conversation', id, withTexts],
    load: (cursor, signal) =>
      call('GET /api/admin/contacts/:id/history', {
        signal,
        params: { id },
        query: { cursor, texts: withTexts ? 'true' : undefined },
      }),
    refetchIntervalMs: pollMs,
  })

/** Counts are stored every few seconds, and are no events. */
interface RefusedFilters {
  /** First characters of its code. */
  address: string | undefined
  from: string | undefined
  to: string | undefined
}

export const useRefused = (user: string | undefined, filters: RefusedFilters) =>
  useQuery({
    queryKey: ['admin', 'refused-requests', user, filters],
    queryFn: ({ signal }) => call('GET /api/admin/refused-requests', { signal, query: { user, ...filters } }),
    refetchInterval: pollMs,
  })
