import { z } from 'zod'
import { instant } from '../../values/instant.ts'
import { kiwifyEventKind, refusalReason, transactionStatus, webhookEndpoint } from '../../values/kiwify.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, searchedPageQuery } from '../page.ts'

/** `processing`: stored, not applied yet. */
export const webhookLogStatus = z.enum(['success', 'error', 'processing'])

export const webhookLog = z.object({
  /** Hash of the bytes. */
  id: z.string(),
  status: webhookLogStatus,
  method: z.literal('POST'),
  endpoint: z.string(),
  createdAt: instant,
  /** `repeated`: after the first time. */
  lastReceivedAt: instant,
  repeated: z.int().nonnegative(),
  /** In Kiwify's panel. */
  event: z.string().nullable(),
  kind: kiwifyEventKind.nullable(),
  orderId: z.string().nullable(),
  /** Seven letters shown to the buyer. */
  orderRef: z.string().nullable(),
  errorMessage: z.string().nullable(),
  /** Why it changes nothing. */
  note: z.string().nullable(),
  /** `reprocess` retries. */
  isParked: z.boolean(),
  hasBodyExpired: z.boolean(),
})

export const webhookLogDetail = webhookLog.extend({
  bytes: z.int().nonnegative(),
  expiresAt: instant,
  /** '[apagado]' after retention or erasure. */
  body: z.string(),
  isBodyErased: z.boolean(),
  processedData: z
    .object({
      event: z.string().nullable(),
      orderId: z.string().nullable(),
      orderRef: z.string().nullable(),
      productName: z.string().nullable(),
      amountCents: z.int().nullable(),
      /** False for a repeated report. */
      changedOrder: z.boolean(),
    })
    .nullable(),
  processedAt: instant.nullable(),
})

/** Null `before`: new; null `after`: removed. */
export const webhookPreviewChange = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('order_status'),
    orderId: z.string(),
    before: transactionStatus.nullable(),
    after: transactionStatus,
  }),
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
  /** Null for an order. */
  note: z.string().nullable(),
  changes: z.array(webhookPreviewChange),
})

/** Last 24 hours, by whole hours. */
export const refusedDeliveries = z.object({
  /** Signed, so perhaps Kiwify's. */
  count: z.int().nonnegative(),
  /** Unsigned, so not Kiwify's. */
  unsigned: z.int().nonnegative(),
  /** Latest first, at most 20; the rest has a null `address`. */
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
  /** Latest first. `search`: prefix of id or reference. */
  list: endpoint({
    service: 'projections',
    ...admin,
    reads: 'nothing',
    method: 'GET',
    path: '/api/admin/webhook-logs',
    summary: 'Os avisos recebidos da Kiwify, do mais recente.',
    query: logsQuery,
    replies: { 200: pageOf(webhookLog) },
  }),
  get: endpoint({
    service: 'projections',
    ...admin,
    reads: delivery,
    method: 'GET',
    path: '/api/admin/webhook-logs/:id',
    summary: 'Um aviso, com o conteúdo que chegou e o que resultou dele.',
    params,
    replies: { 200: webhookLogDetail },
  }),
  /** Counted outside the log. */
  refused: endpoint({
    service: 'billing',
    ...admin,
    reads: 'nothing',
    method: 'GET',
    path: '/api/admin/refused-webhooks',
    summary: 'Quantos avisos foram recusados nas últimas 24 horas, e de onde vieram.',
    replies: { 200: refusedDeliveries },
  }),
  preview: endpoint({
    service: 'billing',
    ...admin,
    reads: delivery,
    method: 'GET',
    path: '/api/admin/webhook-logs/:id/preview',
    summary: 'O que mudaria se um aviso fosse processado de novo.',
    costs: 'computing',
    params,
    replies: { 200: webhookPreview },
  }),
  reprocess: endpoint({
    service: 'billing',
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
