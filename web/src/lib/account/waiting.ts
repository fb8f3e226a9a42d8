import type { Queue } from '@prosa/contracts/http/live-chat'
import { queryOptions } from '@tanstack/react-query'
import { atom } from 'jotai'
import { call } from '../http/call.ts'
import { pollingPace } from '../realtime/live-pace.ts'

/** Pushes refresh it on every screen; polled as often as live chat's lists. */
export const contactCountsQuery = queryOptions({
  queryKey: ['live-chat', 'counts'],
  queryFn: ({ signal }) => call('GET /api/whatsapp/contact-counts', { signal }),
  refetchInterval: () => pollingPace(3_000),
})

export const queueAtom = atom<Queue>('waiting')

export const queueParameter = 'fila'
