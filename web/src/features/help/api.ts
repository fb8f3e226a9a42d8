import type { SupportRequestBody } from '@prosa/contracts/http/support'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const supportChannelsQuery = queryOptions({
  queryKey: ['help', 'channels'],
  queryFn: () => call('GET /api/support/channels'),
})

export const useSendSupportRequest = () =>
  useMutation({ mutationFn: (body: SupportRequestBody) => call('POST /api/support/requests', { body }) })
