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
  /** Undefined before the plan was created and once it was deleted. */
  offer: PlanOffer | undefined
  wasDeleted: boolean
}

/** 'Pro' and 'pro' are one plan. */
const plain = (planId: string) => planId.normalize('NFKC').trim().toLowerCase()

/** The stream of a `planId`: of two who create a plan with the same one, the event store lets one pass. */
export const planStreamId = (planId: string): string => deriveId('plan', plain(planId))

const isSame = (one: PlanOffer, other: PlanOffer) =>
  (Object.keys(one) as (keyof PlanOffer)[]).every((field) => one[field] === other[field])

const offered = (offer: PlanOffer): Plan => ({ offer, wasDeleted: false })

/**
 * One plan on offer. What it offered when an order was reported is kept with the order: neither a change nor a deletion
 * touches what was sold. A deleted `planId` may be offered again.
 */
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
