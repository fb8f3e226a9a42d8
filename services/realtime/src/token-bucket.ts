export interface Pace {
  /** In the long run. */
  perSecond: number
  /** At once, after a while without any. */
  burst: number
}

export interface TokenBucket {
  /** Takes a token; false when none is left. */
  take(): boolean
}

/** `stopwatch` is in milliseconds, from any moment on. */
export const tokenBucket = ({ perSecond, burst }: Pace, stopwatch: () => number): TokenBucket => {
  let tokens = burst
  let at = stopwatch()
  return {
    take() {
      const now = stopwatch()
      tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond)
      at = now
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
