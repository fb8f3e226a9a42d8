import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** The two addresses that Kiwify reports to, for which of them the server has a token, and when a delivery last came. */
export const webhooksQuery = queryOptions({
  queryKey: ['admin', 'webhook settings'],
  queryFn: () => call('GET /api/admin/kiwify-webhooks'),
  staleTime: 0,
})
