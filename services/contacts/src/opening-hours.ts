import type { EventOf } from '@prosa/contracts/events/all-events'
import type { openingHoursEvents } from '@prosa/contracts/events/contacts'
import { defaultOutOfHoursText, type OpeningHours } from '@prosa/contracts/values/time/opening-hours'
import type { Decider } from '@prosa/kernel/domain/decider'

export type OpeningHoursEvent = EventOf<typeof openingHoursEvents>

type Hours = Extract<OpeningHoursEvent, { type: 'OpeningHoursSet' }>['data']

export type OpeningHoursCommand =
  | { type: 'SetOpeningHours'; data: Hours }
  /** Omitted fields do not change. */
  | { type: 'SetOutOfHoursReply'; data: { isOn?: boolean | undefined; text?: string | undefined } }

export type OpeningHoursRefusal = 'opening_hours_not_set'

export interface KnownHours {
  /** Null until set. */
  hours: OpeningHours | null
  isReplyOn: boolean
  replyText: string
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** States are compared with fields in this order. */
const hoursOf = ({ timeZone, week, holidays }: Hours): Hours => ({
  timeZone,
  week: week.map((day) => day.map(({ from, to }) => ({ from, to }))),
  holidays: holidays.map(({ date, name, intervals }) => ({
    date,
    name,
    intervals: intervals.map(({ from, to }) => ({ from, to })),
  })),
})

/** No replies before hours are set. */
export const openingHours: Decider<OpeningHoursCommand, OpeningHoursEvent, KnownHours, OpeningHoursRefusal> = {
  initial: { hours: null, isReplyOn: false, replyText: defaultOutOfHoursText },

  decide: {
    SetOpeningHours: ({ hours }, data) =>
      isSame(hours, hoursOf(data)) ? [] : [{ type: 'OpeningHoursSet', data: hoursOf(data) }],
    SetOutOfHoursReply: ({ hours, isReplyOn, replyText }, { isOn = isReplyOn, text = replyText }) => {
      if (isOn && !hours) return { rejected: 'opening_hours_not_set' }
      const events: OpeningHoursEvent[] = []
      if (text !== replyText) events.push({ type: 'OutOfHoursReplyWritten', data: { text } })
      if (isOn !== isReplyOn)
        events.push({ type: isOn ? 'OutOfHoursReplyTurnedOn' : 'OutOfHoursReplyTurnedOff', data: {} })
      return events
    },
  },

  evolve: {
    OpeningHoursSet: (state, data) => ({ ...state, hours: hoursOf(data) }),
    OutOfHoursReplyWritten: (state, { text }) => ({ ...state, replyText: text }),
    OutOfHoursReplyTurnedOn: (state) => ({ ...state, isReplyOn: true }),
    OutOfHoursReplyTurnedOff: (state) => ({ ...state, isReplyOn: false }),
  },
}
