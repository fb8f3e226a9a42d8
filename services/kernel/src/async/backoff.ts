export interface Backoff {
  firstMs: number
  maxMs: number
  /** Random share of the pause, against synchronous retries; half by default. */
  spread?: number
}

/** Keeps the power finite in a long outage. */
const maxDoublings = 30

/** Doubles with each failure. `failures` counts from 0; `random` is in [0, 1]. */
export const backoffMs = (
  failures: number,
  { firstMs, maxMs, spread = 0.5 }: Backoff,
  random = Math.random(),
): number => Math.min(maxMs, firstMs * 2 ** Math.min(failures, maxDoublings)) * (1 - spread * (1 - random))
