import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { rememberPosition } from '../../lib/http.ts'
import { pollingPace, usePollingPace } from '../../lib/live-pace.ts'
import { readAgain } from '../../lib/merged-readings.ts'
import { useSocketEvent } from '../../lib/socket.tsx'

/** '2026-11-16' each; null where the address names none: then the server's last seven days. */
export type Period = { from: string; to: string } | null

const pollingMs = 10_000

/** The numbers of a period. While those of another one are read, the ones before stay. */
export const dashboardQuery = (period: Period) =>
  queryOptions({
    queryKey: ['dashboard', 'period', period],
    queryFn: () => call('GET /api/dashboard', { query: period ?? {} }),
    placeholderData: keepPreviousData,
    // Whoever comes back sees what it is by now.
    staleTime: 0,
    refetchInterval: () => pollingPace(pollingMs),
  })

/** The flows as projects; pushes about flows read them again. */
export const projectsQuery = queryOptions({
  queryKey: ['flows', 'projects'],
  queryFn: () => call('GET /api/automation-projects'),
  staleTime: 0,
})

/** Reads the numbers again when messages or contacts changed. */
export const useDashboardPushes = (): void => {
  const queries = useQueryClient()
  usePollingPace()
  const follow = ({ position }: { position: string }) => {
    rememberPosition(position)
    readAgain(queries, ['dashboard', 'period'])
  }
  useSocketEvent('whatsapp:new_message', follow)
  useSocketEvent('whatsapp:contact_update', follow)
}
