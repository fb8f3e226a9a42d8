import type { ContactCounts } from '@prosa/contracts/http/live-chat'
import { queryOptions } from '@tanstack/react-query'
import { request } from './http.ts'
import { pollingPace } from './live-pace.ts'

/** How many conversations stand in each tab. Kept fresh by pushes on every screen, and polled as live chat polls its lists. */
export const contactCountsQuery = queryOptions({
  queryKey: ['live-chat', 'counts'],
  queryFn: () => request<ContactCounts>('GET', '/api/whatsapp/contact-counts'),
  refetchInterval: () => pollingPace(3_000),
})
