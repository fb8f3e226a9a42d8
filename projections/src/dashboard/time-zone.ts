import type { Instant } from '@prosa/contracts/values/instant'

/** '2026-11-16'. */
export const dayAt = (moment: Instant, timeZone: string): string =>
  // Swedish dates have ISO 8601 form.
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.parse(moment))

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
