import type { WebhookLogStatus } from '@prosa/contracts/http/accounts/webhook-logs'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'

const logsKey = ['admin', 'webhook-logs'] as const
/** Specification, 6. */
const logsEveryMs = 5000

export const useWebhookLogs = (status: WebhookLogStatus | undefined, search: string) =>
  usePagedList({
    queryKey: [...logsKey, 'list', status ?? '', search],
    load: (cursor, signal) =>
      call('GET /api/admin/webhook-logs', {
        signal,
        query: { cursor, status, search: search === '' ? undefined : search },
      }),
    refetchIntervalMs: logsEveryMs,
  })

/** No push announces refused deliveries. */
export const refusedDeliveriesQuery = queryOptions({
  queryKey: [...logsKey, 'refused'],
  queryFn: ({ signal }) => call('GET /api/admin/refused-webhooks', { signal }),
  refetchInterval: logsEveryMs,
})

/** Polled like the list, because the result may arrive while it is open. */
export const webhookLogQuery = (id: string) =>
  queryOptions({
    queryKey: [...logsKey, 'one', id],
    queryFn: ({ signal }) => call('GET /api/admin/webhook-logs/:id', { signal, params: { id } }),
    refetchInterval: logsEveryMs,
  })

export const webhookPreviewQuery = (id: string) =>
  queryOptions({
    queryKey: [...logsKey, 'preview', id],
    queryFn: ({ signal }) => call('GET /api/admin/webhook-logs/:id/preview', { signal, params: { id } }),
    // The preview depends on all events since.
    staleTime: 0,
    gcTime: 0,
  })

export const useReprocess = (id: string) =>
  useCommand({
    run: (reason: string) =>
      call('POST /api/admin/webhook-logs/:id/reprocess', { params: { id }, body: reason === '' ? {} : { reason } }),
    done: 'O aviso está sendo processado de novo.',
    failed: 'Falha ao reprocessar o aviso',
    rereads: [logsKey],
  })
