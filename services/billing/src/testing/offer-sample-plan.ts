import type { Ports } from '@prosa/kernel/ports'
import { billingHandlers } from '../handlers.ts'
import { planStreamId } from '../plans/plan.ts'

/** From Kiwify's samples. */
export const sampleProductId = '6f1d2c30-0000-11f1-9238-450795acb5a2'

/** Returns the plan's id. Idempotent. */
export const offerSamplePlan = async (
  ports: Pick<Ports, 'store' | 'codec' | 'clock'>,
  changes: { planId?: string; productId?: string; accessDays?: number } = {},
): Promise<string> => {
  const offer = {
    planId: 'profissional',
    planName: 'Profissional',
    productId: sampleProductId,
    productName: 'Atende Fácil - Plano Profissional',
    accessDays: 30,
    price: 'R$ 97,00',
    description: '',
    purchaseUrl: null,
    ...changes,
  }
  const id = planStreamId(offer.planId)
  const causationId = `offer ${id}`
  await billingHandlers(ports).plans(
    id,
    { type: 'CreatePlan', data: offer },
    {
      commandId: causationId,
      actor: { kind: 'system', id: 'test' },
      tenant: null,
      causationId,
      correlationId: causationId,
    },
  )
  return id
}
