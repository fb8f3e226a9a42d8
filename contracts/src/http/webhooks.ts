import { z } from 'zod'
import { id } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import {
  maximumWebhookAddressLength,
  maximumWebhookTypes,
  webhookCallStatus,
  webhookDisabledCause,
  webhookFailure,
  webhookStatuses,
} from '../values/webhook.ts'
import { endpoint } from './endpoint.ts'

const address = z.string().trim().min(1, 'Diga o endereço.').max(maximumWebhookAddressLength)
const settings = z.strictObject({
  name: z.string().trim().min(1, 'Dê um nome ao webhook.').max(80),
  address,
  types: z.array(z.string().max(100)).min(1, 'Escolha ao menos um tipo de evento.').max(maximumWebhookTypes),
  withPersonal: z.boolean().default(false),
})
export type WebhookSettings = z.input<typeof settings>

const webhookShown = z.object({
  id,
  name: z.string(),
  address: z.string(),
  types: z.array(z.string()),
  withPersonal: z.boolean(),
  status: z.enum(webhookStatuses),
  disabledCause: webhookDisabledCause.nullable(),
  createdAt: instant,
  /** When the status last changed. */
  statusSince: instant,
})
export type WebhookShown = z.infer<typeof webhookShown>

const attempt = z.object({
  at: instant,
  /** Of the answer; null without one. */
  status: z.number().nullable(),
  durationMs: z.number(),
  failure: webhookFailure.nullable(),
})
export type WebhookAttempt = z.infer<typeof attempt>

const webhookCall = z.object({
  /** `webhook-id` of the request: the event's id. */
  eventId: id,
  type: z.string(),
  /** When the event was recorded. */
  recordedAt: instant,
  status: webhookCallStatus,
  /** The last ones, the earliest first. */
  attempts: z.array(attempt),
  attemptCount: z.number(),
  /** Null where none is to come, or an earlier event of the same conversation is due first. */
  nextTryAt: instant.nullable(),
})
export type WebhookCall = z.infer<typeof webhookCall>

/** `secret` is in this reply only. */
const withSecret = z.object({ id, secret: z.string() })
const params = z.object({ id })
const named = { 200: z.object({ id }) }

export const webhookEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/webhooks',
    area: 'Dados',
    summary: 'Os webhooks da conta, sem os segredos.',
    replies: { 200: z.array(webhookShown) },
  }),
  add: endpoint({
    service: 'streams',
    method: 'POST',
    path: '/api/webhooks',
    area: 'Dados',
    summary: 'Cria um webhook: os eventos escolhidos, daqui em diante, vão para o endereço. O segredo só aparece aqui.',
    body: settings,
    replies: { 201: withSecret },
  }),
  revise: endpoint({
    service: 'streams',
    method: 'PUT',
    path: '/api/webhooks/:id',
    area: 'Dados',
    summary: 'Muda nome, endereço, tipos e dados pessoais de um webhook.',
    params,
    body: settings,
    replies: named,
  }),
  rotate: endpoint({
    service: 'streams',
    method: 'POST',
    path: '/api/webhooks/:id/secret',
    area: 'Dados',
    summary: 'Troca o segredo. Por 24 horas o anterior também assina. O novo só aparece aqui.',
    params,
    replies: { 200: withSecret },
  }),
  pause: endpoint({
    service: 'streams',
    method: 'POST',
    path: '/api/webhooks/:id/pause',
    area: 'Dados',
    summary: 'Pausa um webhook: o que acontece espera.',
    params,
    replies: named,
  }),
  resume: endpoint({
    service: 'streams',
    method: 'POST',
    path: '/api/webhooks/:id/resume',
    area: 'Dados',
    summary: 'Religa um webhook pausado ou desativado.',
    params,
    replies: named,
  }),
  remove: endpoint({
    service: 'streams',
    method: 'DELETE',
    path: '/api/webhooks/:id',
    area: 'Dados',
    summary: 'Exclui um webhook e o registro das suas entregas.',
    params,
    replies: named,
  }),
  test: endpoint({
    service: 'streams',
    method: 'POST',
    path: '/api/webhooks/:id/test',
    area: 'Dados',
    summary: 'Envia um teste ao endereço, também de um webhook pausado ou desativado.',
    params,
    replies: { 202: z.object({ id }) },
  }),
  calls: endpoint({
    service: 'streams',
    method: 'GET',
    path: '/api/webhooks/:id/calls',
    area: 'Dados',
    summary: 'As entregas de um webhook dos últimos 30 dias, da mais nova à mais antiga, sem o conteúdo.',
    params,
    /** `before`: id of the last event shown. */
    query: z.object({ status: webhookCallStatus.optional(), before: id.optional() }),
    replies: { 200: z.array(webhookCall) },
  }),
  repeat: endpoint({
    service: 'streams',
    method: 'POST',
    path: '/api/webhooks/:id/repeat',
    area: 'Dados',
    summary: 'Envia de novo uma entrega que falhou, ou todas.',
    params,
    body: z.strictObject({ eventId: id.nullable() }),
    replies: { 202: z.object({ id }) },
  }),
}
