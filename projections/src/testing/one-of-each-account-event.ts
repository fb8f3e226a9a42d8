import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at } from '@prosa/kernel/consumers/testing/test-log'

/** Of a connection's life online. */
export const oneOfEachConnection: readonly AnyEvent[] = [
  { type: 'ConnectionAdded', data: { name: 'Balcão', network: 'simulator' } },
  { type: 'LineOpened', data: {} },
  { type: 'LineOpened', data: {} },
  { type: 'LineDropped', data: { code: 408, reason: 'timeout' } },
  { type: 'LineDropped', data: { code: 515, reason: 'restart' } },
  { type: 'ConnectionReplaced', data: {} },
  { type: 'ConnectionRefused', data: { code: 403, reason: 'forbidden' } },
  { type: 'NumberUnlinked', data: {} },
  { type: 'ConnectionDisconnected', data: {} },
  { type: 'ConnectionRemoved', data: {} },
]

const [past, future] = [at(-1_000_000), at(90_000_000)]
const order = { orderId: 'o', subscriptionId: null } as const
const before = { endsAt: null, status: 'active' } as const

/** Of an account's access. */
export const oneOfEachSubscription: readonly AnyEvent[] = [
  { type: 'TrialStarted', data: { endsAt: future } },
  { type: 'TrialWithheld', data: { at: past, endsAt: past, status: 'expired' } },
  { type: 'TrialWithheld', data: { at: past, endsAt: future, status: 'active', by: 'order' } },
  { type: 'TrialEnded', data: {} },
  {
    type: 'AccessGranted',
    data: { ...order, productId: 'p', until: future, endsAt: future, status: 'active', by: 'order' },
  },
  {
    type: 'AccessGranted',
    data: { ...order, productId: null, until: past, endsAt: future, status: 'active', by: 'trial' },
  },
  { type: 'AccessGranted', data: { ...order, productId: 'p', until: past, endsAt: null, status: 'expired' } },
  {
    type: 'AccessGranted',
    data: { ...order, productId: 'p', until: future, endsAt: future, status: 'cancelled' },
  },
  { type: 'AccessRevoked', data: { orderId: 'o', cause: 'refund', endsAt: null, status: 'expired' } },
  { type: 'AccessRevoked', data: { orderId: 'o', cause: 'moved', endsAt: future, status: 'active', by: 'decision' } },
  { type: 'RenewalCancelled', data: { subscriptionId: 's', status: 'cancelled' } },
  { type: 'RenewalCancelled', data: { subscriptionId: 's', status: 'active' } },
  { type: 'AccessEnded', data: {} },
  { type: 'AccessSet', data: { decision: 'extended', before, endsAt: future, status: 'active' } },
  { type: 'AccessSet', data: { decision: 'status_set', before, endsAt: future, status: 'cancelled' } },
  { type: 'AccessSet', data: { decision: 'removed', before, endsAt: past, status: 'expired' } },
  { type: 'LimitWarned', data: { percent: 80, used: 4000, limit: 5000, periodStart: at(0) } },
  { type: 'SubscriberErased', data: {} },
]
