import type { EventOf } from '@prosa/contracts/events/all-events'
import type { planEvents } from '@prosa/contracts/events/billing'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Decider } from '@prosa/kernel/domain/decider'

export type PlanEvent = EventOf<typeof planEvents>
export type PlanOffer = Extract<PlanEvent, { type: 'PlanCreated' }>['data']

export type PlanCommand =
  | { type: 'CreatePlan'; data: PlanOffer }
  | { type: 'RevisePlan'; data: PlanOffer }
  | { type: 'DeletePlan'; data: Record<never, never> }

export type PlanRefusal = 'plan_not_found' | 'plan_id_taken' | 'plan_id_fixed'

export interface Plan {
  /** Undefined before creation and after deletion. */
  offer: PlanOffer | undefined
  wasDeleted: boolean
}

/** 'Pro' and 'pro' are one plan. */
const plain = (planId: string) => planId.normalize('NFKC').trim().toLowerCase()

/** Makes concurrent creations of one `planId` conflict. */
export const planStreamId = (planId: string): string => deriveId('plan', plain(planId))

const isSame = (one: PlanOffer, other: PlanOffer) =>
  (Object.keys(one) as (keyof PlanOffer)[]).every((field) => one[field] === other[field])

const offered = (offer: PlanOffer): Plan => ({ offer, wasDeleted: false })

/** Orders store their offer: changes and deletion do not affect sales. A deleted `planId` may be offered again. */
export const plan: Decider<PlanCommand, PlanEvent, Plan, PlanRefusal> = {
  initial: { offer: undefined, wasDeleted: false },
  decide: {
    CreatePlan: ({ offer }, data) => (offer ? { rejected: 'plan_id_taken' } : [{ type: 'PlanCreated', data }]),
    RevisePlan: ({ offer }, data) => {
      if (!offer) return { rejected: 'plan_not_found' }
      if (plain(offer.planId) !== plain(data.planId)) return { rejected: 'plan_id_fixed' }
      return isSame(offer, data) ? [] : [{ type: 'PlanRevised', data: { ...data, before: offer } }]
    },
    DeletePlan: ({ offer, wasDeleted }) => {
      if (offer) return [{ type: 'PlanDeleted', data: { planId: offer.planId, planName: offer.planName } }]
      return wasDeleted ? [] : { rejected: 'plan_not_found' }
    },
  },
  evolve: {
    PlanCreated: (_, offer) => offered(offer),
    PlanRevised: (_, { before: __, ...offer }) => offered(offer),
    PlanDeleted: () => ({ offer: undefined, wasDeleted: true }),
  },
}
