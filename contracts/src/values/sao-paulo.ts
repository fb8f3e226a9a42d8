import type { Instant } from './instant.ts'

const clocks = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

const partsAt = (moment: number) => {
  const parts = Object.fromEntries(clocks.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return { year, month, day, hour, minute, second }
}

/** Milliseconds by which clocks in São Paulo are ahead of UTC at a moment; negative, as they are behind. */
export const saoPauloOffset = (moment: number): number => {
  const { year, month, day, hour, minute, second } = partsAt(moment)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000
}

/** A calendar month of São Paulo, from its first moment until the first of the next one. */
export interface Month {
  from: Instant
  until: Instant
}

/** When a month begins by clocks in São Paulo; `month` counts from 0 and may lie beyond the year. */
const beginning = (year: number, month: number): Instant => {
  const asUtc = Date.UTC(year, month, 1)
  // The offset at the moment itself: two steps reach it, also beside a change of the clocks.
  const nearly = asUtc - saoPauloOffset(asUtc)
  return new Date(asUtc - saoPauloOffset(nearly)).toISOString()
}

/** Nearly every question is about one month, and asking the calendar is dear beside comparing two texts. */
let latest: Month = { from: '', until: '' }

/** The month of São Paulo that a moment is in. */
export const saoPauloMonth = (instant: Instant): Month => {
  if (instant >= latest.from && instant < latest.until) return latest
  const { year, month } = partsAt(Date.parse(instant))
  latest = { from: beginning(year, month - 1), until: beginning(year, month) }
  return latest
}
