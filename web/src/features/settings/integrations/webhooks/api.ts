import type { WebhookSettings } from '@prosa/contracts/http/webhooks'
import type { WebhookCallStatus } from '@prosa/contracts/values/webhook'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/http/call.ts'
import { useCommand } from '../../../../lib/http/use-command.ts'

const listKey = ['webhooks']
const callsKey = (id: string) => ['webhook-calls', id]
/** Disabled by the server, too. */
const listMs = 15_000
const callsMs = 3000
const pageSize = 50

export const webhooksQuery = queryOptions({
  queryKey: listKey,
  queryFn: ({ signal }) => call('GET /api/webhooks', { signal }),
  refetchInterval: listMs,
})

/** What can be sent: it changes with releases only. */
export const eventTypesQuery = queryOptions({
  queryKey: ['published-types'],
  queryFn: ({ signal }) => call('GET /api/streams', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const callsQuery = (id: string, status: WebhookCallStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: [...callsKey(id), status],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/webhooks/:id/calls', { params: { id }, query: { status, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.eventId),
    refetchInterval: callsMs,
  })

/** Adds a webhook, or revises the one with this id. The toast is the caller's: a new one shows its secret. */
export const useSaveWebhook = (id: string | undefined) =>
  useCommand({
    run: async (body: WebhookSettings): Promise<{ id: string; secret?: string }> =>
      id === undefined ? call('POST /api/webhooks', { body }) : call('PUT /api/webhooks/:id', { params: { id }, body }),
    done: id === undefined ? null : 'Webhook atualizado',
    rereads: [listKey],
  })

export const useRotateSecret = (id: string) =>
  useCommand({
    run: () => call('POST /api/webhooks/:id/secret', { params: { id } }),
    failed: 'Falha ao trocar o segredo',
  })

export const usePauseWebhook = (id: string) =>
  useCommand({
    run: () => call('POST /api/webhooks/:id/pause', { params: { id } }),
    done: 'Webhook pausado: o que acontecer espera',
    failed: 'Falha ao pausar o webhook',
    rereads: [listKey],
  })

export const useResumeWebhook = (id: string) =>
  useCommand({
    run: () => call('POST /api/webhooks/:id/resume', { params: { id } }),
    done: 'Webhook religado',
    failed: 'Falha ao religar o webhook',
    rereads: [listKey],
  })

export const useRemoveWebhook = (id: string) =>
  useCommand({
    run: () => call('DELETE /api/webhooks/:id', { params: { id } }),
    done: 'Webhook excluído',
    failed: 'Falha ao excluir o webhook',
    rereads: [listKey],
  })

export const useTestWebhook = (id: string) =>
  useCommand({
    run: () => call('POST /api/webhooks/:id/test', { params: { id } }),
    done: 'Teste enviado: o resultado aparece nas entregas',
    failed: 'Falha ao enviar o teste',
    rereads: [callsKey(id)],
  })

/** Null: all that failed. */
export const useRepeatCalls = (id: string) =>
  useCommand({
    run: (eventId: string | null) => call('POST /api/webhooks/:id/repeat', { params: { id }, body: { eventId } }),
    done: (_, eventId) => (eventId === null ? 'As entregas que falharam serão repetidas' : 'A entrega será repetida'),
    failed: 'Falha ao repetir',
    rereads: [callsKey(id)],
  })
