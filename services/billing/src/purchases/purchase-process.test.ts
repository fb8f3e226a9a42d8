import { fold } from '@prosa/kernel/domain/decider'
import { describe, expect, it } from 'vitest'
import { entitlement } from './entitlement.ts'
import { kiwifySubscription } from './kiwify-subscription.ts'
import { type Order, order } from './order.ts'
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
  it('is attached before it gives access, and its subscription follows', () => {
    const plan = { ...unpaid.plan, paidUntil: '2026-12-01T12:00:00.000Z' }
    const paid = facts({ userId: 'ana', assignedBy: 'token', subscriptionId: 's', plan }, undefined)
    const settled = ['RememberSubscriber s', 'AttachOrder ana', 'SeeOrder a', 'GrantAccess ana']
    expect(settleAssigned(paid, undefined).map(textOf)).toEqual(settled)
    const moved = { userId: 'ana', formerUserId: 'bia' }
    expect(settleAssigned(paid, moved).map(textOf)).toEqual(['DetachOrder bia', 'MoveSubscriber s', ...settled])
  })
})

it('what waited follows whoever is found, a cancellation too', () => {
  const known = fold(kiwifySubscription, kiwifySubscription.initial, [
    { type: 'SubscriptionOrderSeen', data: { orderId: 'o' } },
    { type: 'SubscriptionCancelled', data: {} },
  ])
  expect(assignSubscription('s', 'ana', known).map(textOf)).toEqual(['AssignOrder o', 'CancelRenewal ana'])
  const waiting = { ...entitlement.initial, waiting: new Set(['o', 'p']) }
  expect(assignWaiting('ana', waiting).map(textOf)).toEqual(['AssignOrder o', 'AssignOrder p'])
})
