import type { SupportRequestBody } from '@prosa/contracts/http/accounts/support'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { useCommand } from '../../lib/http/use-command.ts'

export const supportChannelsQuery = queryOptions({
  queryKey: ['help', 'channels'],
  queryFn: ({ signal }) => call('GET /api/support/channels', { signal }),
})

export const useSendSupportRequest = () =>
  useCommand({ run: (body: SupportRequestBody) => call('POST /api/support/requests', { body }) })
