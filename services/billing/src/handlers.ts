import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { entitlement } from './entitlement.ts'
import { kiwifySubscription } from './kiwify-subscription.ts'
import { order } from './order.ts'
import { plan } from './plan.ts'
import { refusedDeliveries } from './refusals/refused-deliveries.ts'
import { subscription } from './subscription.ts'
import { webhookDelivery } from './webhook-delivery.ts'

/** Only subscriptions have a tenant. */
export const billingHandlers = ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>) => {
  const deps = { store, codec, clock, service: 'billing', foreign: 'unexpected' } as const
  return {
    deliveries: commandHandler({
      ...deps,
      category: 'webhookDelivery',
      decider: webhookDelivery,
      foreign: 'delivery_not_found',
    }),
    refusedDeliveries: commandHandler({ ...deps, category: 'refusedDeliveries', decider: refusedDeliveries }),
    orders: commandHandler({ ...deps, category: 'order', decider: order }),
    kiwifySubscriptions: commandHandler({ ...deps, category: 'kiwifySubscription', decider: kiwifySubscription }),
    entitlements: commandHandler({ ...deps, category: 'entitlement', decider: entitlement }),
    plans: commandHandler({ ...deps, foreign: 'plan_not_found', category: 'plan', decider: plan }),
    /** The stream id is the user's id. */
    subscriptions: commandHandler({ ...deps, category: 'subscription', decider: subscription }),
  }
}

export type BillingHandlers = ReturnType<typeof billingHandlers>

/** Throws on the wrong tenant; no rule refuses these commands. */
export const accepted = <S>(outcome: { ok: true; state: S } | { ok: false; rejected: string }): S => {
  if (!outcome.ok) throw new Error('a stream of billing belongs to another tenant')
  return outcome.state
}
