import type { EventOf } from '@prosa/contracts/events/all-events'
import type { openingHoursEvents } from '@prosa/contracts/events/contacts'
import type { companyEvents } from '@prosa/contracts/events/identity'
import type { OpeningHours } from '@prosa/contracts/values/time/opening-hours'
import type { Reader } from '@prosa/kernel/domain/decider'

/** '' until set. */
export const companyName: Reader<EventOf<typeof companyEvents>, string> = {
  initial: '',
  evolve: {
    CompanyDescribed: (_, { name }) => name,
    CompanyChoicesMade: (name) => name,
  },
}

/** Null until set. */
export const knownHours: Reader<EventOf<typeof openingHoursEvents>, OpeningHours | null> = {
  initial: null,
  evolve: {
    OpeningHoursSet: (_, hours) => hours,
    OutOfHoursReplyWritten: (hours) => hours,
    OutOfHoursReplyTurnedOn: (hours) => hours,
    OutOfHoursReplyTurnedOff: (hours) => hours,
  },
}
