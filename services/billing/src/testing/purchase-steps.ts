import fc from 'fast-check'
import type { PurchaseStep } from './purchases-oracle.ts'

export const users = ['ana', 'bia', 'caio'] as const
export const addresses = ['a@example.org', 'b@example.org', 'c@example.org'] as const
export const orderNames = ['1', '2', '3', '4', '5'] as const
const subscriptionNames = ['s', 't'] as const

const user = fc.constantFrom(...users)
const address = fc.constantFrom(...addresses)
const order = fc.constantFrom(...orderNames)

/** The oracle filters them. */
export const purchaseStep: fc.Arbitrary<PurchaseStep> = fc.oneof(
  fc.record({ type: fc.constant('register' as const), user, address }),
  fc.record({ type: fc.constant('confirm' as const), user, isElsewhere: fc.boolean() }),
  fc.record({ type: fc.constant('move address' as const), user, address }),
  fc.record({ type: fc.constant('erase' as const), user }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('report' as const),
      order,
      kind: fc.constantFrom('order_approved', 'order_refunded', 'chargeback'),
      address,
      subscription: fc.option(fc.constantFrom(...subscriptionNames)),
      token: fc.option(user, { freq: 4 }),
      month: fc.integer({ min: 0, max: 3 }),
    }),
  },
  fc.record({ type: fc.constant('move order' as const), order, user }),
  fc.record({ type: fc.constant('assign plan' as const), order, days: fc.constantFrom(30, 60) }),
  fc.record({ type: fc.constant('name product' as const) }),
  fc.record({ type: fc.constant('erase address' as const), address }),
)
