import { deliverySubject, orderSubject } from '@prosa/contracts/events/subjects'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { SubjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { accepted, type BillingHandlers } from './handlers.ts'

export type EraseBuyer = (orderId: string, context: CommandContext) => Promise<void>

/** After the proof comes the destruction: of what an order holds of its buyer, and of the raw bytes that it came from. */
export const eraseBuyer =
  ({ orders }: Pick<BillingHandlers, 'orders'>, subjectKeys: Pick<SubjectKeys, 'erase'>): EraseBuyer =>
  async (orderId, context) => {
    const { deliveryIds } = accepted(await orders(orderId, { type: 'EraseBuyer', data: {} }, context))
    await subjectKeys.erase([orderSubject(orderId), ...[...deliveryIds].map(deliverySubject)])
  }
