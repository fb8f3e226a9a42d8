import { z } from 'zod'

/** `webhook_event_type`; an abandoned cart has none. */
export const orderEventKinds = [
  'order_approved',
  'order_rejected',
  'order_refunded',
  'chargeback',
  'subscription_renewed',
  'subscription_late',
  'subscription_canceled',
  'pix_created',
  'billet_created',
] as const

export const orderEventKind = z.enum(orderEventKinds)
export const kiwifyEventKind = z.enum([...orderEventKinds, 'abandoned_cart'])

export type OrderEventKind = z.infer<typeof orderEventKind>
export type KiwifyEventKind = z.infer<typeof kiwifyEventKind>

/** Kiwify's panel and the specification. */
export const kiwifyTriggers: Readonly<Record<KiwifyEventKind, string>> = {
  order_approved: 'compra_aprovada',
  order_rejected: 'compra_recusada',
  order_refunded: 'compra_reembolsada',
  chargeback: 'chargeback',
  subscription_renewed: 'subscription_renewed',
  subscription_late: 'subscription_late',
  subscription_canceled: 'subscription_canceled',
  pix_created: 'pix_gerado',
  billet_created: 'boleto_gerado',
  abandoned_cart: 'carrinho_abandonado',
}

export const transactionStatus = z.enum(['approved', 'declined', 'pending', 'refunded'])
export type TransactionStatus = z.infer<typeof transactionStatus>

/** Each renewal reports both; either suffices. */
export const payingKinds: readonly OrderEventKind[] = ['order_approved', 'subscription_renewed']

/** Order of reports is irrelevant. */
export const transactionStatusOf = (reported: Iterable<OrderEventKind>): TransactionStatus => {
  const kinds = new Set(reported)
  if (kinds.has('chargeback') || kinds.has('order_refunded')) return 'refunded'
  if (payingKinds.some((kind) => kinds.has(kind))) return 'approved'
  return kinds.has('order_rejected') || kinds.has('subscription_late') ? 'declined' : 'pending'
}

/** The body alone decides the meaning. */
export const webhookEndpoint = z.enum(['approved', 'refunded'])
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

export const subscriptionStatus = z.enum(['active', 'expired', 'cancelled'])
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>

/** Wrong bytes or token; no token configured; too large to check. Kiwify never sends `unsigned`. */
export const refusalReason = z.enum(['signature', 'no_token', 'too_large', 'unsigned'])
export type RefusalReason = z.infer<typeof refusalReason>

/** Shorter tokens can be found offline from a signed delivery. */
export const minTokenLength = 10

export const hasShortToken = (tokens: readonly string[]): boolean =>
  tokens.some((token) => token.length < minTokenLength)
