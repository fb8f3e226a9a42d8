import { type Pace, type TokenBucket, tokenBucket } from '@prosa/kernel/async/token-bucket'
import { lruMap } from '@prosa/kernel/lru-map'
import type { LineHandle } from '../../gateway/gateway.ts'

/** WhatsApp bans numbers with many look-ups, and unlimited ones would reveal who uses it. */
export class LookUpsExhausted extends Error {
  override name = 'LookUpsExhausted'
  readonly waitMs: number

  constructor(waitMs: number) {
    super('this line has looked up as many numbers as it may')
    this.waitMs = waitMs
  }
}

const hourMs = 3_600_000
/** Share of the hourly limit that may come as a burst. */
const burstPart = 1 / 3

/** At most `perHour` in any hour, when that is 2 or more. */
export const lookUpPace = (perHour: number): Pace => {
  const burst = Math.max(1, Math.floor(perHour * burstPart))
  return { burst, interval: hourMs / Math.max(1, perHour - burst) }
}

/** Buckets survive while a line is down or restarted. */
const maxConnections = 10_000

export const lookUpsOfLines = (perHour: number, now: () => number): ((connectionId: string) => TokenBucket) => {
  const buckets = lruMap<string, TokenBucket>(maxConnections)
  return (connectionId) => {
    const bucket = buckets.get(connectionId) ?? tokenBucket(lookUpPace(perHour), now)
    buckets.set(connectionId, bucket)
    return bucket
  }
}

/** Rejects with `LookUpsExhausted` without a token. */
export const pacedLookUps = (handle: LineHandle, bucket: TokenBucket): LineHandle => ({
  ...handle,
  async findNumber(phone) {
    const wait = bucket.wait()
    if (wait > 0) throw new LookUpsExhausted(wait)
    bucket.take()
    return handle.findNumber(phone)
  },
})
