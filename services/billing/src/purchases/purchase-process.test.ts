import { fold } from '@prosa/kernel/domain/decider'
import type { Order } from '@prosa/product/access/order-state'
import { describe, expect, it } from 'vitest'
import { subscription } from '../access/subscription.ts'
import { entitlement } from './entitlement.ts'
import { kiwifySubscription } from './kiwify-subscription.ts'
import { order } from './order.ts'
import {
  assignSubscription,
  assignWaiting,
  type BuyerFacts,
  type Step,
  settleAssigned,
  settleReport,
} from './purchase-process.ts'

const unpaid: Order = { ...order.initial, kinds: new Set(['pix_created']), buyerKey: 'a' }
const unknown: BuyerFacts = {
  ofToken: undefined,
  subscriber: undefined,
  isSubscriberErased: false,
  ofAddress: null,
}
const facts = (of: Partial<Order>, buyer: Partial<BuyerFacts> | undefined = {}) => ({
  orderId: 'o',
  order: { ...unpaid, ...of },
  buyer: buyer && { ...unknown, ...buyer },
})
const grant = { until: '2026-12-01T12:00:00.000Z', subscriptionId: null, productId: null }
const textOf = (step: Step) => ('erase' in step ? `erase ${step.erase}` : `${step.command.type} ${step.id}`)
const assigned = (by: string, userId: string) => [
  { to: 'orders', id: 'o', command: { type: 'AssignOrder', data: { userId, by } } },
]

describe('the buyer of an order', () => {
  const subscriber = { ...kiwifySubscription.initial, userId: 'of subscription' }
  it('is who an administrator decided on, then who opened the link, then the subscriber, then who proved the address', () => {
    const all = { ofToken: 'of link', subscriber, ofAddress: 'of address' }
    const decided = { ...all, subscriber: { ...subscriber, isDecided: true } }
    expect(settleReport(facts({}, decided), [])).toEqual(assigned('subscription', 'of subscription'))
    expect(settleReport(facts({}, all), [])).toEqual(assigned('token', 'of link'))
    expect(settleReport(facts({}, { ...all, ofToken: undefined }), [])).toEqual(
      assigned('subscription', 'of subscription'),
    )
    expect(settleReport(facts({}, { ofAddress: 'of address' }), [])).toEqual(assigned('email', 'of address'))
  })

  it('is a subscriber who was erased only where nobody else is known', () => {
    const erased = { subscriber, isSubscriberErased: true }
    expect(settleReport(facts({}, { ...erased, ofAddress: 'of address' }), [])).toEqual(assigned('email', 'of address'))
    expect(settleReport(facts({}, erased), [])).toEqual(assigned('subscription', 'of subscription'))
  })

  it('is awaited under the address: claimed meanwhile it is assigned, erased meanwhile it is erased', () => {
    const [wait] = settleReport(facts({}), [])
    if (!wait || 'erase' in wait || wait.to !== 'entitlements') throw new Error('the order does not wait')
    expect(textOf(wait)).toBe('AwaitBuyer a')
    const after = (state: Partial<typeof entitlement.initial>) =>
      wait.next?.({ ...entitlement.initial, ...state }).map(textOf)
    expect(after({})).toEqual([])
    expect(after({ userId: 'ana' })).toEqual(['AssignOrder o'])
    expect(after({ isErased: true })).toEqual(['ReportErasedCharge o', 'erase order'])
  })

  it('who was erased is reported where nobody is left to await', () => {
    const erased = facts({ buyerKey: null, isBuyerErased: true })
    expect(settleReport(erased, []).map(textOf)).toEqual(['ReportErasedCharge o'])
    expect(settleReport(facts({ buyerKey: null }), [])).toEqual([])
  })
})

describe('an order that is assigned', () => {
  it('is noted under an address only where the account is not the one that proved it', () => {
    const names = (assignedBy: 'email' | 'subscription') =>
      settleAssigned(facts({ userId: 'ana', assignedBy }, undefined), undefined).map(textOf)
    expect(names('subscription')).toEqual(['AttachOrder ana', 'SeeOrder a'])
    expect(names('email')).toEqual(['AttachOrder ana'])
  })

  it('is attached before it gives access, and its subscription follows', () => {
    const plan = { ...unpaid.plan, paidUntil: '2026-12-01T12:00:00.000Z' }
    const paid = facts({ userId: 'ana', assignedBy: 'token', subscriptionId: 's', plan }, undefined)
    const settled = ['RememberSubscriber s', 'AttachOrder ana', 'SeeOrder a', 'GrantAccess ana']
    expect(settleAssigned(paid, undefined).map(textOf)).toEqual(settled)
    const moved = { userId: 'ana', formerUserId: 'bia' }
    expect(settleAssigned(paid, moved).map(textOf)).toEqual(['DetachOrder bia', 'MoveSubscriber s', ...settled])
  })
})

it('of an account that was erased a charge is reported only where the account had not paid it before', () => {
  const steps = settleAssigned(facts({ userId: 'ana', assignedBy: 'token' }, undefined), undefined)
  const attach = steps.find((step) => !('erase' in step) && step.command.type === 'AttachOrder')
  if (!attach || 'erase' in attach || attach.to !== 'subscriptions') throw new Error('the order is not attached')
  const after = (...grants: string[]) =>
    attach
      .next?.({ ...subscription.initial, isErased: true, grants: new Map(grants.map((id) => [id, grant])) })
      .map(textOf)
  expect(after()).toEqual(['ReportErasedCharge o', 'erase order'])
  expect(after('o')).toEqual(['erase order'])
})

it('what waited follows whoever is found, a cancellation too', () => {
  const known = fold(kiwifySubscription, kiwifySubscription.initial, [
    { type: 'SubscriptionOrderSeen', data: { orderId: 'o' } },
    { type: 'SubscriptionCancelled', data: {} },
  ])
  expect(assignSubscription('s', 'ana', known, new Set()).map(textOf)).toEqual(['AssignOrder o', 'CancelRenewal ana'])
  const waiting = { ...entitlement.initial, waiting: new Set(['o', 'p']) }
  expect(assignWaiting('ana', waiting).map(textOf)).toEqual(['AssignOrder o', 'AssignOrder p'])
})

it('says of an order whose address the account proved that it came by the address, as its claim says at the same time', () => {
  const known = { orders: new Set(['own', 'other']), userId: 'ana', isDecided: false, isCancelled: false }
  const data = (orderId: string, by: string) =>
    expect.objectContaining({ id: orderId, command: { type: 'AssignOrder', data: { userId: 'ana', by } } })
  expect(assignSubscription('s', 'ana', known, new Set(['own']))).toEqual([
    data('own', 'email'),
    data('other', 'subscription'),
  ])
})
