import type { Instant } from '../instant.ts'
import { localTimeAt, offsetAt } from './local-time.ts'
import type { OpenInterval, OpeningHours } from './opening-hours.ts'

const dayMs = 24 * 3_600_000

/** '08:30' → 510. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const dateText = (utc: number): string => new Date(utc).toISOString().slice(0, 10)

/** `utcDay`: local midnight as if UTC. */
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

/** The moment of the change, to the millisecond. */
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

/** Candidates: intervals by either offset, and the clock change. */
const beginnings = (hours: OpeningHours, utcDay: number): number[] => {
  const { timeZone } = hours
  const [before, after] = [utcDay - dayMs, utcDay + 2 * dayMs]
  const offsets = new Set([offsetAt(timeZone, before), offsetAt(timeZone, after)])
  const starts = intervalsOf(hours, utcDay).flatMap(({ from }) =>
    [...offsets].map((offset) => utcDay + minutesOf(from) * 60_000 - offset),
  )
  return offsets.size === 1 ? starts : [...starts, changeBetween(timeZone, before, after)]
}

export const isOpen = (hours: OpeningHours, instant: Instant): boolean => isOpenAt(hours, Date.parse(instant))

/** At or after this moment. Null only for an empty week. */
export const nextOpening = (hours: OpeningHours, instant: Instant): Instant | null => {
  const moment = Date.parse(instant)
  if (isOpenAt(hours, moment)) return instant
  const { year, month, day } = localTimeAt(hours.timeZone, moment)
  const today = Date.UTC(year, month - 1, day)
  // Every week has an open day, except for holidays.
  const furthestDays = 7 * (hours.holidays.length + 1) + 1
  for (let ahead = 0; ahead <= furthestDays; ahead++) {
    const found = beginnings(hours, today + ahead * dayMs)
      .filter((each) => each >= moment && isOpenAt(hours, each))
      .sort((one, other) => one - other)
    if (found[0] !== undefined) return new Date(found[0]).toISOString()
  }
  return null
}
