export interface LocalTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** Formatters are expensive. */
const clocks = new Map<string, Intl.DateTimeFormat>()

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clocks.set(timeZone, clock)
  return clock
}

/** Milliseconds since 1970; throws RangeError for an unknown IANA zone. */
export const localTimeAt = (timeZone: string, moment: number): LocalTime => {
  const parts = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return { year, month, day, hour, minute, second }
}

/** Milliseconds ahead of UTC. */
export const offsetAt = (timeZone: string, moment: number): number => {
  const { year, month, day, hour, minute, second } = localTimeAt(timeZone, moment)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000
}

/** Local midnight of '2026-11-16'; where a clock change skips it, the first moment of the day. */
export const startOfDay = (timeZone: string, day: string): string => {
  const asUtc = Date.parse(day)
  // Two steps: right also near a clock change.
  const nearly = asUtc - offsetAt(timeZone, asUtc)
  return new Date(asUtc - offsetAt(timeZone, nearly)).toISOString()
}

/** '2026-11-16' */
export const localDay = (timeZone: string, instant: string): string => {
  const { year, month, day } = localTimeAt(timeZone, Date.parse(instant))
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}
