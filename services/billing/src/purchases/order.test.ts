import { later } from '@prosa/kernel/clock'
import { fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import type { OrderReported } from '@prosa/product/access/order-plan'
import { effectOf, type OrderEvent } from '@prosa/product/access/order-state'
import { describe, expect, it } from 'vitest'
import { order } from './order.ts'

const given = specify(order)
const [ana, bia] = ['0b7c8a7e-59b4-4a39-8d0a-6f2f5b0f8d11', '4d7ff6a3-7a52-4f7e-9d1b-1b7a3f0c9e22']
const approved: OrderReported = {
  deliveryId: 'd1',
  kind: 'order_approved',
  orderRef: 'aBcDeF1',
  subscriptionId: null,
  productId: null,
  productName: 'Prosa Profissional',
  amountCents: 9700,
  paymentMethod: 'pix',
  occurredAt: '2026-06-08T14:53:00.000Z',
  accessUntil: null,
  accessDays: 30,
  token: null,
  buyerKey: '77ab',
  buyerName: 'Ana Lima',
  buyerEmail: 'ana@example.com',
  buyerDocument: null,
}
const reported: OrderEvent = { type: 'OrderReported', data: approved }
const byHand = (userId: string) => ({ type: 'AssignOrderByHand', data: { userId } }) as const
const assignedByHand: OrderEvent = {
  type: 'OrderAssigned',
  data: { userId: ana, by: 'administrator' },
}
const hide = { type: 'HideOrder', data: {} } as const
const hidden: OrderEvent = { type: 'OrderHidden', data: {} }
const show = { type: 'ShowOrder', data: {} } as const
const shown: OrderEvent = { type: 'OrderShown', data: {} }

describe('a purchase that nobody claimed', () => {
  it('is given to an account by hand, once', () => {
    given(reported).when(byHand(ana)).then(assignedByHand)
    given(reported, assignedByHand).when(byHand(ana)).thenNothing()
  })

  it('moves to another account by hand, which names the former, and to nobody by its address', () => {
    given(reported, assignedByHand)
      .when(byHand(bia))
      .then({ type: 'OrderAssigned', data: { userId: bia, by: 'administrator', formerUserId: ana } })
    given(reported, assignedByHand)
      .when({ type: 'AssignOrder', data: { userId: bia, by: 'email' } })
      .thenNothing()
  })

  it('is there only once something was reported of it, and while it was not deleted', () => {
    given().when(byHand(ana)).thenRejected('transaction_not_found')
    given(reported, hidden).when(byHand(ana)).thenRejected('transaction_not_found')
  })
})

it('keeps each delivery that names its buyer, also one that brings nothing new, once', () => {
  const again = { type: 'ReportOrder', data: { ...approved, deliveryId: 'd2' } } as const
  const attached: OrderEvent = { type: 'OrderDeliveryAttached', data: { deliveryId: 'd2' } }
  given(reported).when(again).then(attached)
  given(reported, attached).when(again).thenNothing()
  given(reported).when({ type: 'ReportOrder', data: approved }).thenNothing()
})

describe('a report of a kind that is known', () => {
  const unnamed: OrderEvent = { type: 'OrderReported', data: { ...approved, buyerKey: null } }
  const again = (more: Partial<OrderReported>) => ({ ...approved, buyerKey: null, deliveryId: 'd2', ...more })
  const attached: OrderEvent = { type: 'OrderDeliveryAttached', data: { deliveryId: 'd2' } }

  it.each([
    { token: 'a token' },
    { buyerKey: '77ab' },
    { subscriptionId: 's1' },
    { accessUntil: '2026-09-01T12:00:00.000Z' },
  ])('counts where it is the first that states %j, and only then', (more) => {
    const data = again(more)
    given(unnamed).when({ type: 'ReportOrder', data }).then({ type: 'OrderReported', data })
    given(unnamed, { type: 'OrderReported', data: { ...data, deliveryId: 'd1' } })
      .when({ type: 'ReportOrder', data })
      .then(attached)
    given(unnamed)
      .when({ type: 'ReportOrder', data: again({}) })
      .then(attached)
  })

  it('of an order whose buyer was erased names nobody', () => {
    const erased: OrderEvent = { type: 'OrderBuyerErased', data: {} }
    given(unnamed, erased)
      .when({ type: 'ReportOrder', data: again({ token: 'a token', buyerKey: '77ab' }) })
      .then(attached)
    const renewed = again({ kind: 'subscription_renewed', token: 'a token', buyerKey: '77ab', buyerDocument: '1' })
    const nobody = { token: null, buyerKey: null, buyerName: null, buyerEmail: null, buyerDocument: null }
    given(unnamed, erased)
      .when({ type: 'ReportOrder', data: renewed })
      .then({ type: 'OrderReported', data: { ...renewed, ...nobody } })
  })
})

describe('a transaction', () => {
  it('is deleted once, and keeps what it gives', () => {
    given(reported).when(hide).then(hidden)
    given(reported, hidden).when(hide).thenNothing()
    given(reported, hidden)
      .when({ type: 'AssignOrder', data: { userId: ana, by: 'token' } })
      .then({ type: 'OrderAssigned', data: { userId: ana, by: 'token' } })
  })

  it('is brought back once, and can be deleted again', () => {
    given(reported, hidden).when(show).then(shown)
    given(reported).when(show).thenNothing()
    given(reported, hidden, shown).when(show).thenNothing()
    given(reported, hidden, shown).when(hide).then(hidden)
    given(reported, hidden, shown).when(byHand(ana)).then(assignedByHand)
  })

  it('cannot be brought back where there is none', () => given().when(show).thenRejected('transaction_not_found'))

  it('cannot be deleted where there is none', () => given().when(hide).thenRejected('transaction_not_found'))
})

describe('an order of a product that no plan has', () => {
  const unnamed: OrderReported = { ...approved, productId: 'k9', isWithoutPlan: true }
  const sold: OrderEvent = { type: 'OrderReported', data: unnamed }
  const plan = { planId: '1b2c', planName: 'Anual', productId: 'k1', accessDays: 365 }
  const assign = { type: 'AssignPlan', data: plan } as const
  const follow = { type: 'FollowPlan', data: plan } as const
  const assigned: OrderEvent = { type: 'OrderPlanAssigned', data: { ...plan, by: 'administrator' } }
  const followed: OrderEvent = { type: 'OrderPlanAssigned', data: { ...plan, by: 'subscription' } }
  const effectAfter = (...events: OrderEvent[]) => effectOf(fold(order, order.initial, events))
  const paidFor = (days: number) => ({ until: later(approved.occurredAt, days * 24 * 3600 * 1000) })

  it('gives nothing, until somebody decides which plan it is', () => {
    expect(effectAfter(sold)).toBeNull()
    expect(effectAfter(sold, assigned)).toEqual(paidFor(365))
    expect(effectAfter(sold, assigned, { ...sold, data: { ...unnamed, kind: 'order_refunded' } })).toEqual({
      revoked: 'refund',
    })
  })

  it('lasts until when it does for Kiwify, where that is longer, whichever of its reports says so', () => {
    const accessUntil = '2027-01-01T12:00:00.000Z'
    const stating: OrderEvent = { type: 'OrderReported', data: { ...unnamed, accessUntil } }
    const silent: OrderEvent = { type: 'OrderReported', data: { ...unnamed, kind: 'subscription_renewed' } }
    const monthly: OrderEvent = { type: 'OrderPlanAssigned', data: { ...plan, accessDays: 30, by: 'administrator' } }
    expect(effectAfter(stating, silent, monthly)).toEqual({ until: accessUntil })
    expect(effectAfter(silent, stating, monthly)).toEqual({ until: accessUntil })
  })

  it('is decided once, again where it was a mistake, and then takes nothing back', () => {
    given(sold).when(assign).then(assigned)
    given(sold, assigned).when(assign).thenNothing()
    const other = { ...plan, planId: '9f', accessDays: 30 }
    const mended: OrderEvent = { type: 'OrderPlanAssigned', data: { ...other, by: 'administrator' } }
    given(sold, assigned).when({ type: 'AssignPlan', data: other }).then(mended)
    expect(effectAfter(sold, assigned, mended)).toEqual(paidFor(365))
  })

  it('follows another one of its subscription, unless it has a plan', () => {
    given(sold).when(follow).then(followed)
    given(sold, followed).when(follow).thenNothing()
    given(reported).when(follow).thenNothing()
    given().when(follow).thenNothing()
  })

  it('follows a decision about another one of its subscription also where it followed an earlier one, and not what was decided for it', () => {
    const mended = { ...plan, planId: '9f', accessDays: 30 }
    const decision = { type: 'FollowDecision', data: mended } as const
    const followedMended: OrderEvent = { type: 'OrderPlanAssigned', data: { ...mended, by: 'subscription' } }
    given(sold).when(decision).then(followedMended)
    given(sold, followed).when(decision).then(followedMended)
    given(sold, followed, followedMended).when(decision).thenNothing()
    given(sold, assigned).when(decision).thenNothing()
    given(sold, followed, assigned).when(decision).thenNothing()
    given(reported).when(decision).thenNothing()
    given(sold, followed, reported).when(decision).thenNothing()
    given().when(decision).thenNothing()
    expect(effectAfter(sold, followed, followedMended)).toEqual(paidFor(365))
  })

  it('is not decided where a plan has the product, nor of an order that is not there', () => {
    given(reported).when(assign).thenRejected('transaction_has_plan')
    given().when(assign).thenRejected('transaction_not_found')
    given(sold, hidden).when(assign).thenRejected('transaction_not_found')
  })

  it('has the plan as soon as one has the product and it is reported again, whatever is reported', () => {
    const named: OrderReported = {
      ...approved,
      productId: 'k9',
      planName: 'Profissional',
      accessDays: 90,
      deliveryId: 'd1',
    }
    given(sold).when({ type: 'ReportOrder', data: named }).then({ type: 'OrderReported', data: named })
    const data: OrderReported = { ...named, accessDays: 30 }
    const known: OrderEvent = { type: 'OrderReported', data }
    given(sold, assigned).when({ type: 'ReportOrder', data }).then(known)
    given(sold, assigned, known).when(assign).thenRejected('transaction_has_plan')
    given(sold, assigned, known).when({ type: 'ReportOrder', data }).thenNothing()
    const pix: OrderReported = { ...named, kind: 'pix_created' }
    expect(effectAfter(sold, { type: 'OrderReported', data: pix })).toEqual(paidFor(90))
    const shorter: OrderEvent = { type: 'OrderReported', data: { ...pix, kind: 'billet_created', accessDays: 60 } }
    const longer: OrderEvent = { type: 'OrderReported', data: pix }
    expect(effectAfter(sold, shorter)).toEqual(paidFor(60))
    expect([effectAfter(sold, shorter, longer), effectAfter(sold, longer, shorter)]).toEqual([paidFor(90), paidFor(90)])
    expect(effectAfter(shorter, longer, sold)).toEqual(paidFor(90))
    expect(effectAfter(longer, shorter, sold)).toEqual(paidFor(90))
    given(sold, { type: 'OrderReported', data: { ...pix, isWithoutPlan: true } })
      .when({ type: 'ReportOrder', data: pix })
      .then({ type: 'OrderReported', data: pix })
  })

  it('that was reported before plans were asked for keeps its 30 days, also when its delivery is processed again', () => {
    expect(effectAfter(reported)).toEqual(paidFor(30))
    given(reported)
      .when({ type: 'ReportOrder', data: { ...approved, isWithoutPlan: true } })
      .thenNothing()
    given(reported)
      .when({ type: 'ReportOrder', data: { ...approved, isWithoutPlan: true, deliveryId: 'd2' } })
      .then({ type: 'OrderDeliveryAttached', data: { deliveryId: 'd2' } })
  })
})

it('loses its buyer once, where there is one', () => {
  const erase = { type: 'EraseBuyer', data: {} } as const
  const erased: OrderEvent = { type: 'OrderBuyerErased', data: {} }
  given().when(erase).thenNothing()
  given(reported).when(erase).then(erased)
  given(reported, assignedByHand, hidden).when(erase).then(erased)
  given(reported, erased).when(erase).thenNothing()
})

describe('a charge of somebody who was erased', () => {
  const report = { type: 'ReportErasedCharge', data: {} } as const
  const erased: OrderEvent = { type: 'OrderBuyerErased', data: {} }
  const of = (kind: OrderReported['kind'], more: Partial<OrderReported> = {}): OrderEvent => ({
    type: 'OrderReported',
    data: { ...approved, kind, ...more },
  })
  const charged: OrderEvent = {
    type: 'ErasedBuyerCharged',
    data: { orderRef: 'aBcDeF1', subscriptionId: null, amountCents: 9700 },
  }

  it('is reported once, before what is left of the buyer is erased or after', () => {
    given(reported).when(report).then(charged)
    given(reported, charged).when(report).thenNothing()
    given(reported, charged, erased).when(report).thenNothing()
    given(of('pix_created'), erased, reported).when(report).then(charged)
  })

  it('is none where it was paid before the erasure, is not paid, or went back', () => {
    given().when(report).thenNothing()
    given(reported, erased).when(report).thenNothing()
    given(reported, erased, of('subscription_renewed')).when(report).thenNothing()
    given(of('pix_created'), erased).when(report).thenNothing()
    given(reported, of('order_refunded')).when(report).thenNothing()
    given(of('chargeback'), reported).when(report).thenNothing()
  })

  it('is one too where no plan names the product', () => {
    given(of('order_approved', { isWithoutPlan: true }))
      .when(report)
      .then(charged)
    given(of('order_approved', { isWithoutPlan: true }), erased)
      .when(report)
      .thenNothing()
  })

  it('names what the first report that had it stated', () => {
    const nothing = { orderRef: null, amountCents: null, subscriptionId: null }
    given(
      of('pix_created', nothing),
      of('order_approved', { subscriptionId: 's1' }),
      of('subscription_renewed', { amountCents: 1 }),
    )
      .when(report)
      .then({ type: 'ErasedBuyerCharged', data: { orderRef: 'aBcDeF1', subscriptionId: 's1', amountCents: 9700 } })
    given(of('order_approved', nothing)).when(report).then({ type: 'ErasedBuyerCharged', data: nothing })
  })
})
