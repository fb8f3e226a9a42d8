import type { EventOf } from '@prosa/contracts/events/all-events'
import type { companyEvents } from '@prosa/contracts/events/identity'
import type { Decider } from '@prosa/kernel/domain/decider'

/** What the contacts service needs to know of the business, which the identity service keeps: its name, '' until there is one. Only read. */
export const companyName: Decider<never, EventOf<typeof companyEvents>, string, 'user_not_found'> = {
  initial: '',
  decide: {},
  evolve: {
    CompanyDescribed: (_, { name }) => name,
    CompanyChoicesMade: (name) => name,
  },
}
