import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** The two addresses that Kiwify reports to, and for which of them the server has a token. */
export const webhooksQuery = queryOptions({
  queryKey: ['admin', 'webhook settings'],
  queryFn: () => call('GET /api/admin/kiwify-webhooks'),
  staleTime: 0,
})
