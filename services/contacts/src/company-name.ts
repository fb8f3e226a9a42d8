import type { EventOf } from '@prosa/contracts/events/all-events'
import type { companyEvents } from '@prosa/contracts/events/identity'
import type { Reader } from '@prosa/kernel/domain/decider'

/** '' until set. */
export const companyName: Reader<EventOf<typeof companyEvents>, string> = {
  initial: '',
  evolve: {
    CompanyDescribed: (_, { name }) => name,
    CompanyChoicesMade: (name) => name,
  },
}
