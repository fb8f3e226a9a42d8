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

export interface KnownHours {
  /** Null until set. */
  hours: OpeningHours | null
  isReplyOn: boolean
}

export const knownHours: Reader<EventOf<typeof openingHoursEvents>, KnownHours> = {
  initial: { hours: null, isReplyOn: false },
  evolve: {
    OpeningHoursSet: (state, hours) => ({ ...state, hours }),
    OutOfHoursReplyWritten: (state) => state,
    OutOfHoursReplyTurnedOn: (state) => ({ ...state, isReplyOn: true }),
    OutOfHoursReplyTurnedOff: (state) => ({ ...state, isReplyOn: false }),
  },
}
