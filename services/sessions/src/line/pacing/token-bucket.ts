export interface Pace {
  /** So many at once. */
  burst: number
  /** Milliseconds until the next one may follow, once the burst is used up. */
  interval: number
}

/** What is left of a pace; times in milliseconds. */
export interface Bucket {
  readonly tokens: number
  readonly filledAt: number
  readonly heldUntil: number
}

export const fullBucket = ({ burst }: Pace, now: number): Bucket => ({ tokens: burst, filledAt: now, heldUntil: 0 })

/** The same bucket with what has come until now. A clock that was set back gives nothing and takes nothing. */
export const refilled = (bucket: Bucket, { burst, interval }: Pace, now: number): Bucket => ({
  ...bucket,
  tokens: Math.min(burst, bucket.tokens + Math.max(0, now - bucket.filledAt) / interval),
  filledAt: now,
})

/** Milliseconds until there is one to take; 0 when there is. */
export const waitForToken = (bucket: Bucket, pace: Pace, now: number): number => {
  const { tokens, heldUntil } = refilled(bucket, pace, now)
  const missing = tokens >= 1 ? 0 : Math.ceil((1 - tokens) * pace.interval)
  return Math.max(missing, heldUntil - now, 0)
}

/** Takes one, which must be there. */
export const takeToken = (bucket: Bucket, pace: Pace, now: number): Bucket => {
  const full = refilled(bucket, pace, now)
  return { ...full, tokens: full.tokens - 1 }
}

/** Hands out nothing for so many milliseconds. */
export const holdTokens = (bucket: Bucket, now: number, ms: number): Bucket => ({
  ...bucket,
  heldUntil: Math.max(bucket.heldUntil, now + ms),
})

export interface TokenBucket {
  /** Milliseconds until there is one to take; 0 when there is. */
  wait(): number
  /** Takes one, which must be there. */
  take(): void
  /** Hands out nothing for so many milliseconds. */
  hold(ms: number): void
}

/** Lets a burst through, then one in each interval. `now` in milliseconds. */
export const tokenBucket = (pace: Pace, now: () => number): TokenBucket => {
  let bucket = fullBucket(pace, now())
  return {
    wait() {
      const at = now()
      // Kept as it is now, so that a clock that is set back later counts from here.
      bucket = refilled(bucket, pace, at)
      return waitForToken(bucket, pace, at)
    },
    take() {
      bucket = takeToken(bucket, pace, now())
    },
    hold(ms) {
      bucket = holdTokens(bucket, now(), ms)
    },
  }
}
