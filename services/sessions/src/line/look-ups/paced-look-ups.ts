import { lruMap } from '@prosa/kernel/lru-map'
import type { LineHandle } from '../../gateway/gateway.ts'
import { type Pace, type TokenBucket, tokenBucket } from '../pacing/token-bucket.ts'

/** The line has looked up as many numbers as it may for now: WhatsApp bans who asks for many, and whoever may ask for any learns who uses it. */
export class LookUpsExhausted extends Error {
  override name = 'LookUpsExhausted'
  readonly waitMs: number

  constructor(waitMs: number) {
    super('this line has looked up as many numbers as it may')
    this.waitMs = waitMs
  }
}

const hourMs = 3_600_000
/** Of an hour's look-ups, this part may come at once. */
const burstPart = 1 / 3

/** Never more than `perHour` in any hour, from two an hour on. */
export const lookUpPace = (perHour: number): Pace => {
  const burst = Math.max(1, Math.floor(perHour * burstPart))
  return { burst, interval: hourMs / Math.max(1, perHour - burst) }
}

/** Connections whose pace a process remembers, also while their line is down or is begun anew. */
const maxConnections = 10_000

/** What each connection may look up, by its id. */
export const lookUpsOfLines = (perHour: number, now: () => number): ((connectionId: string) => TokenBucket) => {
  const buckets = lruMap<string, TokenBucket>(maxConnections)
  return (connectionId) => {
    const bucket = buckets.get(connectionId) ?? tokenBucket(lookUpPace(perHour), now)
    buckets.set(connectionId, bucket)
    return bucket
  }
}

/** The same line, whose `findNumber` rejects with `LookUpsExhausted` when there is no token. */
export const pacedLookUps = (handle: LineHandle, bucket: TokenBucket): LineHandle => ({
  ...handle,
  async findNumber(phone) {
    const wait = bucket.wait()
    if (wait > 0) throw new LookUpsExhausted(wait)
    bucket.take()
    return handle.findNumber(phone)
  },
})
