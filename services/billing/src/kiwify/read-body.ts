import type { Instant } from '@prosa/contracts/values/instant'
import { type KiwifyEventKind, type OrderEventKind, orderEventKind } from '@prosa/contracts/values/kiwify'
import { z } from 'zod'
import { kiwifyInstant } from './brazilian-time.ts'

export interface OrderReport {
  kind: OrderEventKind
  orderId: string
  /** Seven letters, visible to the buyer. */
  orderRef: string | null
  /** Each renewal is an order. */
  subscriptionId: string | null
  productId: string | null
  productName: string | null
  /** The amount that the buyer paid, with instalment interest. */
  amountCents: number | null
  paymentMethod: string | null
  createdAt: Instant | null
  approvedAt: Instant | null
  refundedAt: Instant | null
  /** End of the paid period according to Kiwify. */
  accessUntil: Instant | null
  /** From our purchase links (`sck`); the buyer may edit it. */
  token: string | null
  buyer: { name: string | null; email: string | null; document: string | null }
}

export type WithoutEffect =
  | 'test_button'
  | 'abandoned_cart'
  | 'wrapped'
  | 'list'
  | 'unknown_event'
  | 'not_an_object'
  | 'body_gone'

export type KiwifyBody =
  | { state: 'order'; report: OrderReport }
  /** `emails`: every address in the body. */
  | { state: 'ignored'; reason: WithoutEffect; kind: KiwifyEventKind | null; emails: readonly string[] }
  /** `field`: the faulty field; null if the body is not JSON. */
  | { state: 'unreadable'; field: string | null; emails: readonly string[] }

/** In all "Testar Webhook" bodies; reserved domain (RFC 2606). */
const testBuyer = 'johndoe@example.com'

const maxTextLength = 300
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => (value == null || value === '' ? null : String(value).slice(0, maxTextLength)))

/** Fractions are rejected. */
const cents = z
  .union([
    z.int().nonnegative(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .nullish()
  .transform((value) => value ?? null)

/** Ids become stream names. */
const kiwifyId = z.string().regex(/^[\w.-]{1,100}$/)
const optionalId = z
  .union([kiwifyId, z.literal('')])
  .nullish()
  .transform((value) => value || null)

const moment = z
  .unknown()
  .optional()
  .transform((value) => kiwifyInstant(value) ?? null)

/** Null or absent on affiliate events. */
const part = <S extends z.ZodRawShape>(shape: S) => {
  const schema = z.looseObject(shape)
  const empty = schema.parse({})
  return schema.nullish().transform((value) => value ?? empty)
}

const order = z.looseObject({
  order_id: kiwifyId,
  order_ref: text,
  webhook_event_type: orderEventKind,
  payment_method: text,
  subscription_id: optionalId,
  created_at: moment,
  approved_date: moment,
  refunded_at: moment,
  Product: part({ product_id: text, product_name: text }),
  Customer: part({ full_name: text, email: text, CPF: text, cnpj: text }),
  Commissions: part({ charge_amount: cents }),
  TrackingParameters: part({ sck: text, s1: text }),
  Subscription: part({ id: optionalId, customer_access: part({ access_until: moment }) }),
})

const reportOf = (body: z.infer<typeof order>): OrderReport => ({
  kind: body.webhook_event_type,
  orderId: body.order_id,
  orderRef: body.order_ref,
  subscriptionId: body.subscription_id ?? body.Subscription.id,
  productId: body.Product.product_id,
  productName: body.Product.product_name,
  amountCents: body.Commissions.charge_amount,
  paymentMethod: body.payment_method,
  createdAt: body.created_at,
  approvedAt: body.approved_date,
  refundedAt: body.refunded_at,
  accessUntil: body.Subscription.customer_access.access_until,
  token: body.TrackingParameters.sck ?? body.TrackingParameters.s1,
  buyer: {
    name: body.Customer.full_name,
    email: body.Customer.email?.trim().toLowerCase() ?? null,
    document: body.Customer.CPF ?? body.Customer.cnpj,
  },
})

const parsed = (bytes: Uint8Array): { json: unknown } | undefined => {
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

const maxEmails = 100

const isEmail = (value: string): boolean => value.length <= maxTextLength && /^[^\s@]+@[^\s@]+$/.test(value)

const distinct = (values: Iterable<string>): string[] => {
  const emails = new Set<string>()
  for (const value of values) {
    const email = value.trim().toLowerCase()
    if (isEmail(email) && email !== testBuyer) emails.add(email)
    if (emails.size === maxEmails) break
  }
  return [...emails]
}

/** Excludes sellers and affiliates. Iterative: the body may be deeply nested. */
function* textsIn(body: unknown): Generator<string> {
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') yield value
    else if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value)) if (field !== 'Commissions') left.push(inner)
  }
}

/** Such bodies may name their buyer anywhere. */
const emailsIn = (body: unknown): string[] => distinct(textsIn(body))

const emailsInText = (bytes: Uint8Array): string[] =>
  distinct(
    Buffer.from(bytes)
      .toString('latin1')
      .split(/[\s"'<>(),;:\\[\]{}]/),
  )

/** Accepts any bytes. Lists and `{signature, order}` have no effect, since it is unknown what signs them. */
export const readKiwifyBody = (bytes: Uint8Array): KiwifyBody => {
  const found = parsed(bytes)
  if (!found) return { state: 'unreadable', field: null, emails: emailsInText(bytes) }
  const { json } = found
  if (Array.isArray(json)) return { state: 'ignored', reason: 'list', kind: null, emails: emailsIn(json) }
  if (typeof json !== 'object' || json === null)
    return { state: 'ignored', reason: 'not_an_object', kind: null, emails: emailsIn(json) }
  const body = json as Record<string, unknown>
  if (typeof body.order === 'object' && body.order !== null && !('order_id' in body))
    return { state: 'ignored', reason: 'wrapped', kind: null, emails: emailsIn(body) }
  if (body.status === 'abandoned' && !('webhook_event_type' in body))
    return { state: 'ignored', reason: 'abandoned_cart', kind: 'abandoned_cart', emails: emailsIn(body) }
  const kind = orderEventKind.safeParse(body.webhook_event_type)
  if (!kind.success) return { state: 'ignored', reason: 'unknown_event', kind: null, emails: emailsIn(body) }
  const read = order.safeParse(json)
  if (!read.success)
    return { state: 'unreadable', field: read.error.issues[0]?.path.join('.') ?? '', emails: emailsIn(body) }
  const report = reportOf(read.data)
  if (report.buyer.email === testBuyer) return { state: 'ignored', reason: 'test_button', kind: kind.data, emails: [] }
  return { state: 'order', report }
}
