import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { pollingPace } from './live-pace.ts'

/** How many conversations stand in each tab. Kept fresh by pushes on every screen, and polled as live chat polls its lists. */
export const contactCountsQuery = queryOptions({
  queryKey: ['live-chat', 'counts'],
  queryFn: () => call('GET /api/whatsapp/contact-counts'),
  refetchInterval: () => pollingPace(3_000),
})
