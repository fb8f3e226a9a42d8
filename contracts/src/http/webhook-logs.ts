import { z } from 'zod'
import { instant } from '../values/instant.ts'
import { kiwifyEventKind, refusalReason, transactionStatus, webhookEndpoint } from '../values/kiwify.ts'
import { endpoint } from './endpoint.ts'
import { pageOf, searchedPageQuery } from './page.ts'

/** `processing`: it is stored, and what it means has not been acted on yet. */
export const webhookLogStatus = z.enum(['success', 'error', 'processing'])

export const webhookLog = z.object({
  /** Names the bytes: the same ones again are the same delivery. */
  id: z.string(),
  status: webhookLogStatus,
  method: z.literal('POST'),
  /** The path that Kiwify called. */
  endpoint: z.string(),
  createdAt: instant,
  /** When the same bytes came last, and how often after the first time. */
  lastReceivedAt: instant,
  repeated: z.int().nonnegative(),
  /** What Kiwify reports, under the name of its panel; null where the body does not say. */
  event: z.string().nullable(),
  kind: kiwifyEventKind.nullable(),
  orderId: z.string().nullable(),
  /** The seven letters that the buyer sees. */
  orderRef: z.string().nullable(),
  /** One Portuguese sentence: why it failed; null where it did not. */
  errorMessage: z.string().nullable(),
  /** The same of what was understood and changes nothing. */
  note: z.string().nullable(),
  /** Work on it stopped by an error: `reprocess` has it tried again. */
  isParked: z.boolean(),
  hasBodyExpired: z.boolean(),
})

export const webhookLogDetail = webhookLog.extend({
  bytes: z.int().nonnegative(),
  expiresAt: instant,
  /** The bytes as text; '[apagado]' once they were kept long enough, or the buyer was erased. */
  body: z.string(),
  isBodyErased: z.boolean(),
  /** What was understood of it, and what came of that; null while nothing has. */
  processedData: z
    .object({
      event: z.string().nullable(),
      orderId: z.string().nullable(),
      orderRef: z.string().nullable(),
      productName: z.string().nullable(),
      amountCents: z.int().nullable(),
      /** False where the order had been reported so before. */
      changedOrder: z.boolean(),
    })
    .nullable(),
  processedAt: instant.nullable(),
})

/** What would be otherwise afterwards: `before` is null where there was nothing, `after` where nothing is left. */
export const webhookPreviewChange = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('order_status'),
    orderId: z.string(),
    before: transactionStatus.nullable(),
    after: transactionStatus,
  }),
  /** Ids of accounts. */
  z.object({
    what: z.literal('order_owner'),
    orderId: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
  }),
  z.object({
    what: z.literal('access_end'),
    userId: z.string(),
    before: instant.nullable(),
    after: instant.nullable(),
  }),
])

export const webhookPreview = z.object({
  /** Why the body changes nothing, or cannot be read; null where an order is reported. */
  note: z.string().nullable(),
  changes: z.array(webhookPreviewChange),
})

/** What could not be verified within the last 24 hours, counted by whole hours. */
export const refusedDeliveries = z.object({
  /** Those that Kiwify may have sent: they bear a signature. */
  count: z.int().nonnegative(),
  /** Those without one, which are none of Kiwify's. */
  unsigned: z.int().nonnegative(),
  /** The latest first, at most 20. `address` is null of those that came from more addresses than are kept apart. */
  sources: z.array(
    z.object({
      endpoint: webhookEndpoint,
      reason: refusalReason,
      address: z.string().nullable(),
      count: z.int().positive(),
      lastAt: instant,
    }),
  ),
})

const params = z.object({ id: z.string().regex(/^[\w-]{1,100}$/, 'Este aviso não existe.') })

export const reprocessBody = z
  .object({ reason: z.string().trim().min(1).max(500, 'Use no máximo 500 caracteres.').optional() })
  .nullish()

const logsQuery = searchedPageQuery.extend({
  status: z.enum(webhookLogStatus.options, { error: 'Escolha sucesso, erro ou em processamento.' }).optional(),
})

const delivery = { what: 'delivery', of: 'named' } as const

const admin = { area: 'Administração', role: 'admin' } as const

export const webhookLogEndpoints = {
  /** Latest first. `search`: an order's id or its letters, from the beginning. */
  list: endpoint({
    ...admin,
    reads: 'nothing',
    method: 'GET',
    path: '/api/admin/webhook-logs',
    summary: 'Os avisos recebidos da Kiwify, do mais recente.',
    query: logsQuery,
    replies: { 200: pageOf(webhookLog) },
  }),
  get: endpoint({
    ...admin,
    reads: delivery,
    method: 'GET',
    path: '/api/admin/webhook-logs/:id',
    summary: 'Um aviso, com o conteúdo que chegou e o que resultou dele.',
    params,
    replies: { 200: webhookLogDetail },
  }),
  /** Counted beside the log. */
  refused: endpoint({
    ...admin,
    reads: 'nothing',
    method: 'GET',
    path: '/api/admin/refused-webhooks',
    summary: 'Quantos avisos foram recusados nas últimas 24 horas, e de onde vieram.',
    replies: { 200: refusedDeliveries },
  }),
  /** Nothing is changed by asking. */
  preview: endpoint({
    ...admin,
    reads: delivery,
    method: 'GET',
    path: '/api/admin/webhook-logs/:id/preview',
    summary: 'O que mudaria se um aviso fosse processado de novo.',
    costs: 'computing',
    params,
    replies: { 200: webhookPreview },
  }),
  /** What stopped by an error goes on. */
  reprocess: endpoint({
    ...admin,
    reads: 'nothing',
    method: 'POST',
    path: '/api/admin/webhook-logs/:id/reprocess',
    summary: 'Processa de novo um aviso.',
    params,
    body: reprocessBody,
    replies: { 202: z.object({ id: z.string() }) },
  }),
}

export type RefusedDeliveries = z.infer<typeof refusedDeliveries>
export type WebhookLog = z.infer<typeof webhookLog>
export type WebhookLogDetail = z.infer<typeof webhookLogDetail>
export type WebhookLogStatus = z.infer<typeof webhookLogStatus>
export type WebhookPreview = z.infer<typeof webhookPreview>
export type WebhookPreviewChange = z.infer<typeof webhookPreviewChange>
