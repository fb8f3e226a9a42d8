import type { LastDays } from '@prosa/contracts/values/time/last-days'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { notePosition } from '../../lib/http/http.ts'
import { pollingPace, usePollingPace } from '../../lib/realtime/live-pace.ts'
import { readAgain } from '../../lib/realtime/merged-readings.ts'
import { useSocketEvent } from '../../lib/realtime/socket.tsx'

/** Dates such as '2026-11-16', or the last days, which move on with the clock; null: the last seven. */
export type Period = { from: string; to: string } | { days: LastDays } | null

const pollingMs = 10_000

/** Keeps the previous numbers while those of another period load. */
export const dashboardQuery = (period: Period) =>
  queryOptions({
    queryKey: ['dashboard', 'period', period],
    queryFn: ({ signal }) => call('GET /api/dashboard', { signal, query: period ?? {} }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: () => pollingPace(pollingMs),
  })

/** Below 'flows', so that pushes about flows invalidate it. */
export const projectsQuery = queryOptions({
  queryKey: ['flows', 'projects'],
  queryFn: ({ signal }) => call('GET /api/automation-projects', { signal }),
  staleTime: 0,
})

export const useDashboardPushes = (): void => {
  const queries = useQueryClient()
  usePollingPace()
  const follow = ({ position }: { position: string }) => {
    notePosition(position)
    readAgain(queries, ['dashboard', 'period'])
  }
  useSocketEvent('whatsapp:new_message', follow)
  useSocketEvent('whatsapp:contact_update', follow)
}
