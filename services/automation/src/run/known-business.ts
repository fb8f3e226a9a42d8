import type { EventOf } from '@prosa/contracts/events/all-events'
import type { defaultFlowEvents } from '@prosa/contracts/events/automation'
import type { openingHoursEvents } from '@prosa/contracts/events/contacts'
import type { companyEvents } from '@prosa/contracts/events/identity'
import type { OpeningHours } from '@prosa/contracts/values/opening-hours'
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

/** Null until set. */
export const knownHours: Decider<
  never,
  EventOf<typeof openingHoursEvents>,
  OpeningHours | null,
  'opening_hours_not_set'
> = {
  initial: null,
  decide: {},
  evolve: {
    OpeningHoursSet: (_, hours) => hours,
    OutOfHoursReplyWritten: (hours) => hours,
    OutOfHoursReplyTurnedOn: (hours) => hours,
    OutOfHoursReplyTurnedOff: (hours) => hours,
  },
}

export const chosenDefault: Decider<never, EventOf<typeof defaultFlowEvents>, string | null, 'flow_not_found'> = {
  initial: null,
  decide: {},
  evolve: { DefaultFlowChosen: (_, { flowId }) => flowId },
}
