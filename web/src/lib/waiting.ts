import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { queryOptions } from '@tanstack/react-query'
import { atom } from 'jotai'
import { call } from './call.ts'
import { pollingPace } from './live-pace.ts'

/** How many conversations stand in each tab. Kept fresh by pushes on every screen, and polled as live chat polls its lists. */
export const contactCountsQuery = queryOptions({
  queryKey: ['live-chat', 'counts'],
  queryFn: () => call('GET /api/whatsapp/contact-counts'),
  refetchInterval: () => pollingPace(3_000),
})

/** The tab that live chat shows, or will when it is opened. */
export const statusTabAtom = atom<ServiceStatus>('waiting')
