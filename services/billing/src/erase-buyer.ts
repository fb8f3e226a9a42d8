import { deliverySubject, orderSubject } from '@prosa/contracts/events/subjects'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { SubjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { accepted, type BillingHandlers } from './handlers.ts'

export interface EraseBuyer {
  /** After the proof comes the destruction: of what an order holds of its buyer, and of the raw bytes that it came from. */
  order(orderId: string, context: CommandContext): Promise<void>
  /**
   * Of everything that waits under an address (by its keyed hash) that this account has, null: that none has; what comes later is
   * erased on arrival. Resolves to whether it was so.
   */
  address(buyerKey: string, userId: string | null, context: CommandContext): Promise<boolean>
  /** Of the raw bytes of one delivery. */
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

  return {
    order: eraseOrder,
    async address(buyerKey, userId, context) {
      const erased = accepted(await entitlements(buyerKey, { type: 'EraseBuyer', data: { userId } }, context))
      if (!erased.isErased) return false
      await eraseDeliveries(erased.deliveryIds)
      for (const orderId of erased.orderIds) await eraseOrder(orderId, context)
      // What was assigned meanwhile is its account's, and goes with that.
      for (const orderId of erased.waiting)
        if ((await orders.load(orderId, null)).userId === null) await eraseOrder(orderId, context)
      return true
    },
    async delivery(deliveryId) {
      await eraseDeliveries([deliveryId])
    },
  }
}
