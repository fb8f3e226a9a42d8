export interface Pace {
  /** So many at once. */
  burst: number
  /** Milliseconds until the next one may follow, once the burst is used up. */
  interval: number
}

export interface TokenBucket {
  /** Milliseconds until there is one to take; 0 when there is. */
  wait(): number
  /** Takes one, which must be there. */
  take(): void
  /** Hands out nothing for so many milliseconds. */
  hold(milliseconds: number): void
}

/** Lets a burst through, then one in each interval. `now` in milliseconds. */
export const tokenBucket = ({ burst, interval }: Pace, now: () => number): TokenBucket => {
  let tokens = burst
  let filledAt = now()
  let heldUntil = 0

  const fill = (at: number) => {
    // A clock that was set back gives nothing and takes nothing.
    tokens = Math.min(burst, tokens + Math.max(0, at - filledAt) / interval)
    filledAt = at
  }

  return {
    wait() {
      const at = now()
      fill(at)
      const missing = tokens >= 1 ? 0 : Math.ceil((1 - tokens) * interval)
      return Math.max(missing, heldUntil - at, 0)
    },
    take() {
      fill(now())
      tokens -= 1
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, now() + milliseconds)
    },
  }
}
