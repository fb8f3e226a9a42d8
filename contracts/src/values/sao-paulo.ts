import type { Instant } from './instant.ts'
import { localTimeAt, offsetAt } from './local-time.ts'
import { defaultTimeZone } from './time-zone.ts'

/** Milliseconds by which clocks in São Paulo are ahead of UTC at a moment; negative, as they are behind. */
export const saoPauloOffset = (moment: number): number => offsetAt(defaultTimeZone, moment)

/** A calendar month of São Paulo, from its first moment until the first of the next one. */
export interface Month {
  from: Instant
  until: Instant
}

/** When a day begins by clocks in São Paulo; `month` counts from 0, and both may lie beyond the year or the month. */
const beginning = (year: number, month: number, day = 1): Instant => {
  const asUtc = Date.UTC(year, month, day)
  // The offset at the moment itself: two steps reach it, also beside a change of the clocks.
  const nearly = asUtc - saoPauloOffset(asUtc)
  return new Date(asUtc - saoPauloOffset(nearly)).toISOString()
}

/** Nearly every question is about one month, and asking the calendar is dear beside comparing two texts. */
let latest: Month = { from: '', until: '' }

/** The month of São Paulo that a moment is in. */
export const saoPauloMonth = (instant: Instant): Month => {
  if (instant >= latest.from && instant < latest.until) return latest
  const { year, month } = localTimeAt(defaultTimeZone, Date.parse(instant))
  latest = { from: beginning(year, month - 1), until: beginning(year, month) }
  return latest
}

/** A calendar day of São Paulo, named '2026-11-25', until the first moment of the next one. */
export interface Day {
  name: string
  from: Instant
  until: Instant
}

let latestDay: Day = { name: '', from: '', until: '' }

/** The day of São Paulo that a moment is in. */
export const saoPauloDay = (instant: Instant): Day => {
  if (instant >= latestDay.from && instant < latestDay.until) return latestDay
  const { year, month, day } = localTimeAt(defaultTimeZone, Date.parse(instant))
  const name = [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
  latestDay = { name, from: beginning(year, month - 1, day), until: beginning(year, month - 1, day + 1) }
  return latestDay
}
