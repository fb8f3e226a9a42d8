import { z } from 'zod'

/** What Kiwify reports, under the names that a body carries (`webhook_event_type`; an abandoned cart has none). */
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

/** The names under which Kiwify's panel and the specification know the same events; they label transactions. */
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

/** A transaction as the screens show it. */
export const transactionStatus = z.enum(['approved', 'declined', 'pending', 'refunded'])
export type TransactionStatus = z.infer<typeof transactionStatus>

/** Kiwify reports both of each renewal; either is enough. */
export const payingKinds: readonly OrderEventKind[] = ['order_approved', 'subscription_renewed']

/** How an order of which these were reported is shown, in whichever order they came. */
export const transactionStatusOf = (reported: Iterable<OrderEventKind>): TransactionStatus => {
  const kinds = new Set(reported)
  if (kinds.has('chargeback') || kinds.has('order_refunded')) return 'refunded'
  if (payingKinds.some((kind) => kinds.has(kind))) return 'approved'
  return kinds.has('order_rejected') || kinds.has('subscription_late') ? 'declined' : 'pending'
}

/** Which of Prosa's two addresses a delivery came to. What it means is decided by its body alone. */
export const webhookEndpoint = z.enum(['approved', 'refunded'])
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

/** A subscription as screens and administrators name its state. */
export const subscriptionStatus = z.enum(['active', 'expired', 'cancelled'])
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>

/**
 * Why a delivery was refused: its signature is of other bytes or of another token; there is no token to check it with; its body is too
 * large to be checked. `unsigned` is nothing of Kiwify's, which always signs.
 */
export const refusalReason = z.enum(['signature', 'no_token', 'too_large', 'unsigned'])
export type RefusalReason = z.infer<typeof refusalReason>

/** Whoever sees one signed delivery can try all shorter tokens at home. */
export const minTokenLength = 10

export const hasShortToken = (tokens: readonly string[]): boolean =>
  tokens.some((token) => token.length < minTokenLength)
