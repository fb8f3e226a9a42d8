import type { Instant } from '@prosa/contracts/values/instant'

/** Deciders and projections receive instants instead. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => new Date().toISOString() }

export const later = (instant: Instant, ms: number): Instant => new Date(Date.parse(instant) + ms).toISOString()
