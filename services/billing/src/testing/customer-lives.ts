import type { OrderEventKind } from '@prosa/contracts/values/kiwify'
import { later } from '@prosa/kernel/clock'
import fc from 'fast-check'
import { sampleProductId } from './offer-sample-plan.ts'

const dayMs = 24 * 3600 * 1000

/** `month` counts from the first charge. */
export interface Charge {
  month: number
  isRenewal: boolean
  end: 'paid' | 'refunded' | 'charged back' | 'refused' | 'never paid'
  /** Only the first purchase has a token. */
  hasToken: boolean
  hasPeriod: boolean
}

export const charge: fc.Arbitrary<Charge> = fc.record({
  month: fc.integer({ min: 0, max: 5 }),
  isRenewal: fc.boolean(),
  end: fc.constantFrom('paid', 'refunded', 'charged back', 'refused', 'never paid'),
  hasToken: fc.boolean(),
  hasPeriod: fc.boolean(),
})

export interface Customer {
  /** Prefix of order ids. */
  orders: string
  subscription: string
  address: string
  token: string
}

const kindsOf = ({ end, isRenewal }: Charge): OrderEventKind[] => {
  if (end === 'never paid') return ['pix_created']
  if (end === 'refused') return isRenewal ? ['order_rejected', 'subscription_late'] : ['order_rejected']
  const paid: OrderEventKind[] = isRenewal ? ['order_approved', 'subscription_renewed'] : ['order_approved']
  if (end === 'refunded') return [...paid, 'order_refunded']
  return end === 'charged back' ? [...paid, 'chargeback'] : paid
}

export const orderIdOf = (customer: Customer, index: number): string => `${customer.orders}-${index}`
const approvedAt = (month: number) => `2026-${String(6 + month).padStart(2, '0')}-08 11:53`
const approvedInstant = (month: number) => `2026-${String(6 + month).padStart(2, '0')}-08T14:53:00.000Z`
/** May differ from the plan's 30 days. */
const periodEnd = (month: number) => `2026-${String(7 + month).padStart(2, '0')}-08T14:53:23.137Z`

const bodyOf = (customer: Customer, found: Charge, index: number, kind: OrderEventKind): string =>
  JSON.stringify({
    order_id: orderIdOf(customer, index),
    webhook_event_type: kind,
    subscription_id: customer.subscription,
    created_at: approvedAt(found.month),
    approved_date: kind === 'order_refunded' ? null : approvedAt(found.month),
    Product: { product_id: sampleProductId },
    Customer: { full_name: 'Ana Lima', email: customer.address },
    Commissions: { charge_amount: 9700 },
    TrackingParameters: { sck: found.hasToken ? customer.token : null },
    Subscription: found.hasPeriod
      ? { status: 'active', customer_access: { access_until: periodEnd(found.month) } }
      : { status: 'active' },
  })

export const bodiesOf = (customer: Customer, charges: readonly Charge[], isCancelled: boolean): string[] => {
  const bodies = charges.flatMap((found, index) => kindsOf(found).map((kind) => bodyOf(customer, found, index, kind)))
  const [first] = charges
  if (isCancelled && first) bodies.push(bodyOf(customer, { ...first, end: 'paid' }, 0, 'subscription_canceled'))
  return bodies
}

/** Takes the later of Kiwify's period and 30 days. */
export const untilOf = ({ month, hasPeriod }: Charge): string => {
  const days = later(approvedInstant(month), 30 * dayMs)
  return hasPeriod && periodEnd(month) > days ? periodEnd(month) : days
}

/** Simple reference implementation. */
export const accessByOracle = (
  charges: readonly Charge[],
  isCancelled: boolean,
  trialEnd: string | null,
): { endsAt: string | null; status: 'active' | 'expired' | 'cancelled' } => {
  const latest = charges
    .filter(({ end }) => end === 'paid')
    .map(untilOf)
    .sort()
    .at(-1)
  if (latest !== undefined && (trialEnd === null || latest > trialEnd))
    return { endsAt: latest, status: isCancelled ? 'cancelled' : 'active' }
  return trialEnd === null ? { endsAt: null, status: 'expired' } : { endsAt: trialEnd, status: 'active' }
}
