import { deliverySubject, orderSubject } from '@prosa/contracts/events/subjects'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { SubjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { accepted, type BillingHandlers } from '../handlers.ts'
import type { Entitlement } from '../purchases/entitlement.ts'

type Waiting = Pick<Entitlement, 'waiting' | 'deliveryIds' | 'orderIds'>

export interface EraseBuyer {
  /** Erases the buyer's data in the order and its raw bytes. */
  order(orderId: string, context: CommandContext): Promise<void>
  /** Later arrivals are erased on arrival. */
  address(buyerKey: string, userId: string, context: CommandContext): Promise<void>
  /** For an address without an account. */
  waiting(found: Waiting, context: CommandContext): Promise<void>
  /** Erases the raw bytes. */
  delivery(deliveryId: string): Promise<void>
}

export const eraseBuyer = (
  { orders, entitlements }: Pick<BillingHandlers, 'orders' | 'entitlements'>,
  subjectKeys: Pick<SubjectKeys, 'erase'>,
): EraseBuyer => {
  const eraseDeliveries = (ids: Iterable<string>) => subjectKeys.erase([...ids].map(deliverySubject))

  const eraseOrder = async (orderId: string, context: CommandContext) => {
    const { deliveryIds } = accepted(await orders(orderId, { type: 'EraseBuyer', data: {} }, context))
    await subjectKeys.erase([orderSubject(orderId)])
    await eraseDeliveries(deliveryIds)
  }

  const eraseWaiting = async ({ waiting, deliveryIds, orderIds }: Waiting, context: CommandContext) => {
    await eraseDeliveries(deliveryIds)
    for (const orderId of orderIds) await eraseOrder(orderId, context)
    // Others are erased with their account.
    for (const orderId of waiting)
      if ((await orders.load(orderId, null)).userId === null) await eraseOrder(orderId, context)
  }

  return {
    order: eraseOrder,
    waiting: eraseWaiting,
    async address(buyerKey, userId, context) {
      const erased = accepted(await entitlements(buyerKey, { type: 'EraseBuyer', data: { userId } }, context))
      if (erased.isErased) await eraseWaiting(erased, context)
    },
    async delivery(deliveryId) {
      await eraseDeliveries([deliveryId])
    },
  }
}

/** For dry runs. */
export const erasesNothing: EraseBuyer = {
  order: async () => undefined,
  address: async () => undefined,
  waiting: async () => undefined,
  delivery: async () => undefined,
}
