import { queryOptions } from '@tanstack/react-query'
import { call } from '../http/call.ts'

/** Pushes refresh it when permissions change, not with each message. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => call('GET /api/usage', { signal }),
  staleTime: 30_000,
})
