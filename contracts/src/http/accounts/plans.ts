import { z } from 'zod'
import { id } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { webhookEndpoint } from '../../values/kiwify.ts'
import { endpoint } from '../endpoint.ts'

export const requiredPlanFields = 'Por favor, preencha todos os campos obrigatórios'
const daysOutOfRange = 'Informe de 1 a 3.650 dias, sem frações.'
const unsafeAddress = 'Informe um endereço que comece com https://.'

const defaultAccessDays = 30
const maxAccessDays = 3650
const defaultPrice = 'Consulte'

const required = (longest: number) =>
  z
    .string({ error: requiredPlanFields })
    .trim()
    .min(1, requiredPlanFields)
    .max(longest, `Use no máximo ${longest} caracteres.`)

const optional = (longest: number, message = `Use no máximo ${longest} caracteres.`) =>
  z.string({ error: 'Escreva um texto.' }).trim().max(longest, message).nullish()

/** Invalid numbers become 30 (specification, 5). */
const daysOf = (value: unknown): number => {
  const days = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof days === 'number' && Number.isFinite(days) ? days : defaultAccessDays
}

/** https only: the link is public. */
const httpsAddress = (text: string): string | undefined => {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { href, username, password } = new URL(text)
  return username === '' && password === '' ? href : undefined
}

const reason = optional(500).transform((text) => text || undefined)

/** Missing fields get defaults. */
export const planBody = z.object({
  planId: required(100),
  planName: required(80),
  /** Kiwify's id, which assigns orders to plans. */
  productId: required(100),
  productName: required(120),
  accessDays: z
    .unknown()
    .optional()
    .transform(daysOf)
    .pipe(z.int(daysOutOfRange).min(1, daysOutOfRange).max(maxAccessDays, daysOutOfRange)),
  price: optional(60).transform((text) => text || defaultPrice),
  description: optional(500).transform((text) => text ?? ''),
  purchaseUrl: optional(500, 'Use no máximo 500 caracteres.')
    .refine((text) => !text || httpsAddress(text) !== undefined, unsafeAddress)
    .transform((text) => (text && httpsAddress(text)) || null),
  reason,
})

export const deletePlanBody = z.object({ reason }).nullish()

const shown = {
  id,
  planId: z.string(),
  planName: z.string(),
  accessDays: z.int().positive(),
  price: z.string(),
  description: z.string(),
  /** Null: contact sales. */
  purchaseUrl: z.string().nullable(),
}

export const offeredPlan = z.object(shown)
export const plan = z.object({ ...shown, productId: z.string(), productName: z.string() })
export const planDeleted = z.object({ id })

/** One of two webhook addresses. */
export const webhookSetting = z.object({
  endpoint: webhookEndpoint,
  path: z.string(),
  isConfigured: z.boolean(),
  hasShortToken: z.boolean(),
  /** Last accepted delivery. */
  lastReceivedAt: instant.nullable(),
})

const params = z.object({ id })
const admin = { area: 'Administração', role: 'admin', reads: 'nothing' } as const

export const planEndpoints = {
  /** Oldest first. Purchase links name the caller's account. */
  offered: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/kiwify-plans',
    area: 'Cobrança',
    summary: 'Os planos à venda, com os endereços para comprar.',
    replies: { 200: z.array(offeredPlan) },
  }),
  public: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/public/kiwify-plans',
    area: 'Cobrança',
    open: true,
    summary: 'Os planos à venda, para a página inicial.',
    replies: { 200: z.array(offeredPlan) },
  }),
  list: endpoint({
    service: 'projections',
    ...admin,
    method: 'GET',
    path: '/api/admin/kiwify-plans',
    summary: 'Os planos à venda, com os produtos da Kiwify.',
    replies: { 200: z.array(plan) },
  }),
  create: endpoint({
    service: 'billing',
    ...admin,
    method: 'POST',
    path: '/api/admin/kiwify-plans',
    summary: 'Cria um plano.',
    body: planBody,
    replies: { 201: plan },
  }),
  /** `planId` cannot change. */
  revise: endpoint({
    service: 'billing',
    ...admin,
    method: 'PUT',
    path: '/api/admin/kiwify-plans/:id',
    summary: 'Altera um plano; o que já foi vendido fica como era.',
    params,
    body: planBody,
    replies: { 200: plan },
  }),
  delete: endpoint({
    service: 'billing',
    ...admin,
    method: 'DELETE',
    path: '/api/admin/kiwify-plans/:id',
    summary: 'Exclui um plano; o acesso de quem o comprou fica como está.',
    params,
    body: deletePlanBody,
    replies: { 200: planDeleted },
  }),
  webhooks: endpoint({
    service: 'projections',
    ...admin,
    method: 'GET',
    path: '/api/admin/kiwify-webhooks',
    summary: 'Os endereços para os avisos da Kiwify, se há um token para conferi-los, e quando chegou o último.',
    replies: { 200: z.array(webhookSetting) },
  }),
}

export type OfferedPlan = z.infer<typeof offeredPlan>
export type Plan = z.infer<typeof plan>
export type PlanBody = z.input<typeof planBody>
export type WebhookSetting = z.infer<typeof webhookSetting>
