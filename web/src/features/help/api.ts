import type { SupportRequestBody } from '@prosa/contracts/http/support'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** Where help is had beside the form. */
export const supportChannelsQuery = queryOptions({
  queryKey: ['help', 'channels'],
  queryFn: () => call('GET /api/support/channels'),
})

/** POST /api/support/requests */
export const useSendSupportRequest = () =>
  useMutation({ mutationFn: (body: SupportRequestBody) => call('POST /api/support/requests', { body }) })
