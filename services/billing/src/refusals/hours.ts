import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import type { Hour } from './queries.ts'

export const hourMs = 3_600_000

/** '2026-11-25T12:40:00.000Z' → '2026-11-25T12' */
export const hourOf = (at: Instant): Hour => at.slice(0, '2026-11-25T12'.length)

/** First hour of the past 24. */
export const firstHourOfDay = (now: Instant): Hour => hourOf(later(now, -24 * hourMs))

/** Counted by a clock that is ahead. */
export const isAhead = (hour: Hour, now: Instant): boolean => hour > hourOf(now)

export const addressRetentionMs = 30 * 24 * hourMs
