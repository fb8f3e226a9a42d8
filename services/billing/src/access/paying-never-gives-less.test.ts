import { later } from '@prosa/kernel/clock'
import { decide, fold } from '@prosa/kernel/domain/decider'
import type { Subscription } from '@prosa/product/access/subscription-state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type SubscriptionCommand, subscription } from './subscription.ts'

const start = '2026-06-01T12:00:00.000Z'
const day = 24 * 3600 * 1000
const on = (days: number) => later(start, days * day)

/** Days since registration. */
const days = fc.integer({ min: 0, max: 60 })
const orderId = fc.constantFrom('a', 'b', 'c')
const grantOf = (id: string, until: number): SubscriptionCommand => ({
  type: 'GrantAccess',
  data: { orderId: id, subscriptionId: null, productId: null, until: on(until) },
})

/** `at`: days since registration. */
const happening: fc.Arbitrary<(at: number) => SubscriptionCommand> = fc.oneof(
  fc.constant((): SubscriptionCommand => ({ type: 'StartTrial', data: { endsAt: on(10) } })),
  fc.constant((at: number): SubscriptionCommand => ({ type: 'WithholdTrial', data: { at: on(at) } })),
  fc.tuple(orderId, days).map(
    ([id, until]) =>
      () =>
        grantOf(id, until),
  ),
  orderId.map(
    (id) => (): SubscriptionCommand => ({ type: 'RevokeAccess', data: { orderId: id, cause: 'chargeback' } }),
  ),
  fc.integer({ min: 1, max: 60 }).map(
    (more) =>
      (at: number): SubscriptionCommand => ({
        type: 'ExtendAccess',
        data: { until: on(at + more), at: on(at) },
      }),
  ),
  fc.constant((at: number): SubscriptionCommand => ({ type: 'RemoveAccess', data: { at: on(at) } })),
  fc.constantFrom('active', 'expired', 'cancelled').map(
    (status) =>
      (at: number): SubscriptionCommand => ({
        type: 'SetAccessStatus',
        data: { status, at: on(at) },
      }),
  ),
  fc.constant((at: number): SubscriptionCommand => ({ type: 'EndAccess', data: { at: on(at) } })),
)
const history = fc.array(fc.tuple(happening, fc.integer({ min: 0, max: 15 })), { maxLength: 12 }).map((happened) => {
  let at = 0
  return happened.map(([commandAt, passed]) => {
    at += passed
    return commandAt(at)
  })
})

const after = (commands: readonly SubscriptionCommand[], from: Subscription = subscription.initial): Subscription =>
  commands.reduce((state, each) => {
    const decision = decide(subscription, state, each)
    return 'rejected' in decision ? state : fold(subscription, state, decision)
  }, from)

const timeOf = ({ endsAt }: Subscription) => (endsAt === null ? Number.NEGATIVE_INFINITY : Date.parse(endsAt))

it('a paid order never moves the end backwards, whatever happened before', () => {
  fc.assert(
    fc.property(history, orderId, days, (before, id, until) => {
      const earlier = after(before)
      expect(timeOf(after([grantOf(id, until)], earlier))).toBeGreaterThanOrEqual(timeOf(earlier))
    }),
    { numRuns: 5000 },
  )
})

it('a trial that starts late never moves the end backwards', () => {
  fc.assert(
    fc.property(history, (before) => {
      const earlier = after(before)
      expect(timeOf(after([{ type: 'StartTrial', data: { endsAt: on(10) } }], earlier))).toBeGreaterThanOrEqual(
        timeOf(earlier),
      )
    }),
    { numRuns: 5000 },
  )
})

it('a free period that is withheld takes nothing of what was paid', () => {
  fc.assert(
    fc.property(history, orderId, fc.integer({ min: 200, max: 300 }), (before, id, until) => {
      const paid = after([grantOf(id, until)], after(before.filter(({ type }) => type !== 'RevokeAccess')))
      const withheld = after([{ type: 'WithholdTrial', data: { at: on(100) } }], paid)
      expect([timeOf(withheld), withheld.hasEnded]).toEqual([timeOf(paid), paid.hasEnded])
    }),
    { numRuns: 2000 },
  )
})

it('money that comes and goes back leaves the end where it was without it', () => {
  fc.assert(
    fc.property(history, days, (before, until) => {
      const earlier = after(before)
      const back = { type: 'RevokeAccess', data: { orderId: 'of a stranger', cause: 'chargeback' } } as const
      expect(timeOf(after([grantOf('of a stranger', until), back], earlier))).toBe(timeOf(earlier))
    }),
    { numRuns: 5000 },
  )
})

it('an end that is set is the latest of what is left', () => {
  fc.assert(
    fc.property(history, orderId, (before, id) => {
      const revoked = after([...before, { type: 'RevokeAccess', data: { orderId: id, cause: 'refund' } }])
      const { trialEndsAt, extendedTo, removal, grants } = revoked
      const counted = [...grants].filter(([order]) => !removal?.grantsThen.has(order)).map(([, grant]) => grant.until)
      const left = [removal ? null : trialEndsAt, extendedTo, ...counted].map((end) =>
        end === null ? Number.NEGATIVE_INFINITY : Date.parse(end),
      )
      expect(timeOf(revoked)).toBeGreaterThanOrEqual(Math.max(...left))
    }),
    { numRuns: 5000 },
  )
})
