import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'

export const webhooksQuery = queryOptions({
  queryKey: ['admin', 'webhook settings'],
  queryFn: ({ signal }) => call('GET /api/admin/kiwify-webhooks', { signal }),
  staleTime: 0,
})
