import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** What the account may do now, and how much of its plan is used. Pushes refresh it when that changes, but not with each message. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: () => call('GET /api/usage'),
  staleTime: 30_000,
})
