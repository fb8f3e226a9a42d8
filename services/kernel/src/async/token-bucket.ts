export interface Pace {
  burst: number
  /** Milliseconds to the next token, once the burst is used up. */
  interval: number
}

/** Times in milliseconds. */
export interface Bucket {
  readonly tokens: number
  readonly filledAt: number
  readonly blockedUntil: number
}

export const fullBucket = ({ burst }: Pace, now: number): Bucket => ({ tokens: burst, filledAt: now, blockedUntil: 0 })

/** A clock that was set back adds and removes no tokens. */
export const refilled = (bucket: Bucket, { burst, interval }: Pace, now: number): Bucket => ({
  ...bucket,
  tokens: Math.min(burst, bucket.tokens + Math.max(0, now - bucket.filledAt) / interval),
  filledAt: now,
})

export const waitForToken = (bucket: Bucket, pace: Pace, now: number): number => {
  const { tokens, blockedUntil } = refilled(bucket, pace, now)
  const missing = tokens >= 1 ? 0 : Math.ceil((1 - tokens) * pace.interval)
  return Math.max(missing, blockedUntil - now, 0)
}

export const takeToken = (bucket: Bucket, pace: Pace, now: number): Bucket => {
  const full = refilled(bucket, pace, now)
  return { ...full, tokens: full.tokens - 1 }
}

export const blockTokens = (bucket: Bucket, now: number, ms: number): Bucket => ({
  ...bucket,
  blockedUntil: Math.max(bucket.blockedUntil, now + ms),
})

export interface TokenBucket {
  /** Milliseconds; 0: a token is available. */
  wait(): number
  take(): void
  /** True when a token was available. */
  tryTake(): boolean
  block(ms: number): void
}

/** `now` in ms. */
export const tokenBucket = (pace: Pace, now: () => number): TokenBucket => {
  let bucket = fullBucket(pace, now())
  const wait = () => {
    const at = now()
    // Stored, so that a clock that is set back later counts from here.
    bucket = refilled(bucket, pace, at)
    return waitForToken(bucket, pace, at)
  }
  const take = () => {
    bucket = takeToken(bucket, pace, now())
  }
  return {
    wait,
    take,
    tryTake() {
      if (wait() > 0) return false
      take()
      return true
    },
    block(ms) {
      bucket = blockTokens(bucket, now(), ms)
    },
  }
}
