export interface Backoff {
  /** The pause after the first failure. */
  firstMs: number
  maxMs: number
  /** The share of the pause that is left to chance, so that processes do not return in step; half of it unless given. */
  spread?: number
}

/** Beyond this the power is past every limit that is used, and would leave the range of numbers in a long outage. */
const maxDoublings = 30

/** The pause before the next try: it doubles with each failure, up to the longest. `failures` counts from 0; `random` is in [0, 1]. */
export const backoffMs = (
  failures: number,
  { firstMs, maxMs, spread = 0.5 }: Backoff,
  random = Math.random(),
): number => Math.min(maxMs, firstMs * 2 ** Math.min(failures, maxDoublings)) * (1 - spread * (1 - random))
