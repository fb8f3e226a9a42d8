import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'

export const webhooksQuery = queryOptions({
  queryKey: ['admin', 'webhook settings'],
  queryFn: () => call('GET /api/admin/kiwify-webhooks'),
  staleTime: 0,
})
