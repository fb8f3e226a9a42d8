import type { Instant } from './instant.ts'
import { localTimeAt, offsetAt } from './local-time.ts'
import type { OpenInterval, OpeningHours } from './opening-hours.ts'

const dayMs = 24 * 3_600_000

/** '08:30' → 510. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const dateText = (utc: number): string => new Date(utc).toISOString().slice(0, 10)

/** The intervals of a local day, which is given as its midnight in UTC. */
const intervalsOf = ({ week, holidays }: OpeningHours, utcDay: number): readonly OpenInterval[] => {
  const date = dateText(utcDay)
  const special = holidays.find((holiday) => holiday.date === date)
  return special ? special.intervals : (week[new Date(utcDay).getUTCDay()] ?? [])
}

const isOpenAt = (hours: OpeningHours, moment: number): boolean => {
  const { year, month, day, hour, minute } = localTimeAt(hours.timeZone, moment)
  const now = hour * 60 + minute
  return intervalsOf(hours, Date.UTC(year, month - 1, day)).some(
    ({ from, to }) => minutesOf(from) <= now && now < minutesOf(to),
  )
}

/** The moment, to the millisecond, from which another offset holds, between two moments of which each has one of them. */
const changeBetween = (timeZone: string, before: number, after: number): number => {
  const offset = offsetAt(timeZone, before)
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(timeZone, middle) === offset) low = middle
    else high = middle
  }
  return high
}

/** Every moment at which a local day may begin to be open: its intervals by either offset, and a change of the clocks itself. */
const beginnings = (hours: OpeningHours, utcDay: number): number[] => {
  const { timeZone } = hours
  const [before, after] = [utcDay - dayMs, utcDay + 2 * dayMs]
  const offsets = new Set([offsetAt(timeZone, before), offsetAt(timeZone, after)])
  const starts = intervalsOf(hours, utcDay).flatMap(({ from }) =>
    [...offsets].map((offset) => utcDay + minutesOf(from) * 60_000 - offset),
  )
  return offsets.size === 1 ? starts : [...starts, changeBetween(timeZone, before, after)]
}

/** Whether the business is open at a moment, by the clocks of its own zone. */
export const isOpen = (hours: OpeningHours, instant: Instant): boolean => isOpenAt(hours, Date.parse(instant))

/**
 * The first moment, not before this one, at which the business is open: this one where it is open now. Null where it never opens
 * again, which only a week without any hours leads to.
 */
export const nextOpening = (hours: OpeningHours, instant: Instant): Instant | null => {
  const moment = Date.parse(instant)
  if (isOpenAt(hours, moment)) return instant
  const { year, month, day } = localTimeAt(hours.timeZone, moment)
  const today = Date.UTC(year, month - 1, day)
  // Each week has a day that is open, unless a holiday closes it.
  const furthestDays = 7 * (hours.holidays.length + 1) + 1
  for (let ahead = 0; ahead <= furthestDays; ahead++) {
    const found = beginnings(hours, today + ahead * dayMs)
      .filter((each) => each >= moment && isOpenAt(hours, each))
      .sort((one, other) => one - other)
    if (found[0] !== undefined) return new Date(found[0]).toISOString()
  }
  return null
}
