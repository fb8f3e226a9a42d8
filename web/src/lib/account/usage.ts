import { queryOptions } from '@tanstack/react-query'
import { call } from '../http/call.ts'

/** Pushes refresh it when permissions change, not with each message. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: () => call('GET /api/usage'),
  staleTime: 30_000,
})
