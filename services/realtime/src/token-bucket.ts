export interface Pace {
  perSecond: number
  burst: number
}

export interface TokenBucket {
  take(): boolean
}

/** `stopwatch`: monotonic ms. */
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
