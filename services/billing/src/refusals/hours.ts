import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import type { Hour } from './queries.ts'

export const hourMs = 3_600_000

/** '2026-11-25T12:40:00.000Z' → '2026-11-25T12' */
export const hourOf = (at: Instant): Hour => at.slice(0, '2026-11-25T12'.length)

/** The first of the hours that a look back of 24 hours is about. */
export const firstHourOfDay = (now: Instant): Hour => hourOf(later(now, -24 * hourMs))

/** Not yet: a clock that was ahead has counted in it. */
export const isAhead = (hour: Hour, now: Instant): boolean => hour > hourOf(now)

/** For so long it can be seen where what was refused came from. */
export const addressesKeptMs = 30 * 24 * hourMs
