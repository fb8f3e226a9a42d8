import type { PublishedTableShown } from '@prosa/contracts/http/streams'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'

/** Does not change while Prosa runs. */
export const catalogueQuery = queryOptions({
  queryKey: ['streams', 'catalogue'],
  queryFn: ({ signal }) => call('GET /api/streams', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export type ReadyTable = PublishedTableShown

/** Does not change while Prosa runs. */
export const tablesQuery = queryOptions({
  queryKey: ['streams', 'tables'],
  queryFn: ({ signal }) => call('GET /api/streams/tables', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
