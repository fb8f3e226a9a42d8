import type { Instant } from '@prosa/contracts/values/instant'

/** Where time comes from. Deciders and projections never ask; they are given instants. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => new Date().toISOString() }

/** An instant some milliseconds after another. */
export const later = (instant: Instant, ms: number): Instant => new Date(Date.parse(instant) + ms).toISOString()
