import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { EraseBuyer } from '../buyers/erase-buyer.ts'
import { accepted, type BillingHandlers } from '../handlers.ts'
import type { Step } from './purchase-process.ts'

export type RunSteps = (steps: readonly Step[], context: CommandContext) => Promise<void>

/** `context.tenant` is ignored: only subscriptions have a tenant. */
export const stepRunner = (
  handlers: BillingHandlers,
  erase: Pick<EraseBuyer, 'order' | 'delivery' | 'address'>,
): RunSteps => {
  const perform = async (step: Step, context: CommandContext): Promise<readonly Step[]> => {
    if ('erase' in step) {
      if (step.erase === 'order') await erase.order(step.orderId, context)
      if (step.erase === 'delivery') await erase.delivery(step.deliveryId)
      if (step.erase === 'address') await erase.address(step.buyerKey, step.userId, context)
      return []
    }
    const { to, id } = step
    switch (to) {
      case 'deliveries':
        return nextOf(step, accepted(await handlers.deliveries(id, step.command, context)))
      case 'orders':
        return nextOf(step, accepted(await handlers.orders(id, step.command, context)))
      case 'kiwifySubscriptions':
        return nextOf(step, accepted(await handlers.kiwifySubscriptions(id, step.command, context)))
      case 'entitlements':
        return nextOf(step, accepted(await handlers.entitlements(id, step.command, context)))
      case 'subscriptions':
        return nextOf(step, accepted(await handlers.subscriptions(id, step.command, { ...context, tenant: id })))
    }
  }

  const run: RunSteps = async (steps, context) => {
    for (const step of steps) await run(await perform(step, { ...context, tenant: null }), context)
  }
  return run
}

const nextOf = <S>(step: { next?: (after: S) => readonly Step[] }, after: S): readonly Step[] =>
  step.next?.(after) ?? []
