import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type Category, parseStream, streamName } from '@prosa/contracts/streams'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { Clock } from '@prosa/kernel/clock'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandHandler } from '@prosa/kernel/domain/command-handler'
import { type Decider, decide, fold, type Typed } from '@prosa/kernel/domain/decider'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import type { Order } from '@prosa/product/access/order-state'
import type { Subscription } from '@prosa/product/access/subscription-state'
import { subscription } from '../access/subscription.ts'
import type { BillingHandlers } from '../handlers.ts'
import { plan } from '../plans/plan.ts'
import { entitlement } from '../purchases/entitlement.ts'
import { kiwifySubscription } from '../purchases/kiwify-subscription.ts'
import { order } from '../purchases/order.ts'
import { refusedDeliveries } from '../refusals/refused-deliveries.ts'
import { webhookDelivery } from './webhook-delivery.ts'

/** By stream id. */
export type Touched<S> = ReadonlyMap<string, { before: S; after: S }>

export interface DryRun {
  /** They decide on copies of current states and store nothing. */
  handlers: BillingHandlers
  /** Handles the event and all that follow from it. */
  play(event: Pick<Stored, 'stream'> & AnyEvent, reactors: readonly Reactor[]): Promise<void>
  orders: Touched<Order>
  subscriptions: Touched<Subscription>
}

/** More than any delivery leads to: detects endless reactors. */
const maxEvents = 10_000

/** Dry run with the real deciders and reactors. */
export const dryRun = (real: BillingHandlers, clock: Clock, slice: TimeSlice): DryRun => {
  const decided: Stored[] = []
  const orders = new Map<string, { before: Order; after: Order }>()
  const subscriptions = new Map<string, { before: Subscription; after: Subscription }>()

  const note = (stream: string, event: AnyEvent, tenant: string | null) => {
    const id = randomUUID()
    const metadata = {
      causationId: id,
      correlationId: id,
      actor: { kind: 'system', id: 'dry-run' } as const,
      tenant,
      schemaVersion: 1,
      recordedAt: clock.now(),
    }
    decided.push({ ...event, id, stream, revision: 0n, position: beginning, metadata })
  }

  const dry = <C extends Typed, E extends AnyEvent, S, R extends string>(
    category: Category,
    decider: Decider<C, E, S, R>,
    { load }: CommandHandler<C, E, S, R>,
    touched: Map<string, { before: S; after: S }> = new Map(),
  ): CommandHandler<C, E, S, R> => {
    const current = async (id: string, tenant: string | null) => touched.get(id)?.after ?? (await load(id, tenant))
    const handle: (...given: Parameters<CommandHandler<C, E, S, R>>) => ReturnType<CommandHandler<C, E, S, R>> = async (
      id,
      command,
      { tenant },
    ) => {
      const state = await current(id, tenant)
      const decision = decide(decider, state, command)
      if ('rejected' in decision) return { ok: false, rejected: decision.rejected }
      const after = fold(decider, state, decision)
      touched.set(id, { before: touched.get(id)?.before ?? state, after })
      for (const event of decision) note(streamName(category, id), event, tenant)
      return { ok: true, events: decision, state: after, position: null }
    }
    return Object.assign(handle, { earlier: async () => undefined, load: current })
  }

  return {
    handlers: {
      deliveries: dry('webhookDelivery', webhookDelivery, real.deliveries),
      refusedDeliveries: dry('refusedDeliveries', refusedDeliveries, real.refusedDeliveries),
      orders: dry('order', order, real.orders, orders),
      kiwifySubscriptions: dry('kiwifySubscription', kiwifySubscription, real.kiwifySubscriptions),
      entitlements: dry('entitlement', entitlement, real.entitlements),
      plans: dry('plan', plan, real.plans),
      subscriptions: dry('subscription', subscription, real.subscriptions, subscriptions),
    },
    orders,
    subscriptions,
    async play({ stream, ...event }, reactors) {
      note(stream, event, null)
      let handled = 0
      for (let next = decided.shift(); next; next = decided.shift()) {
        if (++handled > maxEvents) throw new Error('a dry run does not end')
        if (slice.isDue()) await slice.turn()
        for (const { categories, on } of reactors) {
          if (!(categories as readonly string[]).includes(parseStream(next.stream).category)) continue
          const handler = on[next.type] as ((event: Stored) => Promise<void>) | undefined
          await handler?.(next)
        }
      }
    },
  }
}
