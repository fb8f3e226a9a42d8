import type { Instant } from '@prosa/contracts/values/instant'

/** The calendar day that a moment is in: '2026-11-16'. */
export const dayAt = (moment: Instant, timeZone: string): string =>
  // The form of Sweden's dates is that of ISO 8601.
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.parse(moment))

/** The calendar day so many days after another. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
