import type { EventOf } from '@prosa/contracts/events/all-events'
import type { companyEvents } from '@prosa/contracts/events/identity'
import type { Decider } from '@prosa/kernel/domain/decider'

/** '' until set. */
export const companyName: Decider<never, EventOf<typeof companyEvents>, string, 'user_not_found'> = {
  initial: '',
  decide: {},
  evolve: {
    CompanyDescribed: (_, { name }) => name,
    CompanyChoicesMade: (name) => name,
  },
}
