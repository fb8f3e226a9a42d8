import type { Instant } from '../instant.ts'
import { localDay, localTimeAt, offsetAt } from './local-time.ts'
import { defaultTimeZone } from './time-zone.ts'

/** Milliseconds, negative. */
export const saoPauloOffset = (moment: number): number => offsetAt(defaultTimeZone, moment)

/** `until` is exclusive. */
export interface Month {
  from: Instant
  until: Instant
}

/** `month` from 0; may overflow, as may `day`. */
const beginning = (year: number, month: number, day = 1): Instant => {
  const asUtc = Date.UTC(year, month, day)
  // Two steps: right also near a clock change.
  const nearly = asUtc - saoPauloOffset(asUtc)
  return new Date(asUtc - saoPauloOffset(nearly)).toISOString()
}

/** Cache: the calendar is expensive. */
let latest: Month = { from: '', until: '' }

export const saoPauloMonth = (instant: Instant): Month => {
  if (instant >= latest.from && instant < latest.until) return latest
  const { year, month } = localTimeAt(defaultTimeZone, Date.parse(instant))
  latest = { from: beginning(year, month - 1), until: beginning(year, month) }
  return latest
}

/** `name` is '2026-11-25'; `until` is exclusive. */
export interface Day {
  name: string
  from: Instant
  until: Instant
}

let latestDay: Day = { name: '', from: '', until: '' }

export const saoPauloDay = (instant: Instant): Day => {
  if (instant >= latestDay.from && instant < latestDay.until) return latestDay
  const { year, month, day } = localTimeAt(defaultTimeZone, Date.parse(instant))
  const name = localDay(defaultTimeZone, instant)
  latestDay = { name, from: beginning(year, month - 1, day), until: beginning(year, month - 1, day + 1) }
  return latestDay
}
