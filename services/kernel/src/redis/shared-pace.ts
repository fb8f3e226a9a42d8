import { type Pace, type TokenBucket, tokenBucket } from '../async/token-bucket.ts'
import { lruMap } from '../lru-map.ts'
import type { Redis } from './redis.ts'

/** The time at which the bucket is full again is all that is stored (generic cell rate algorithm). */
const takeScript = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local burst, interval = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('get', KEYS[1]) or now), now)
local wait = full - now - (burst - 1) * interval
if wait > 0 then return math.ceil(wait) end
redis.call('set', KEYS[1], full + interval, 'px', math.ceil(full + interval - now))
return 0`

/** Token buckets by key, over all processes. */
export interface SharedPace {
  /** Milliseconds to wait for a token of this process; 0: there may be one. */
  wait(key: string, pace: Pace): number
  /** 0: a token was taken; else milliseconds until there is one, also in other processes' view. */
  take(key: string, pace: Pace): Promise<number>
}

export interface SharedPaceOptions {
  redis: Redis | undefined
  /** Milliseconds. */
  now: () => number
  /** Distinguishes keys in Redis, which must not be personal. */
  scope: string
  maxKeys: number
}

/** While Redis is away each process has a whole bucket, less what it took itself. */
export const sharedPace = ({ redis, now, scope, maxKeys }: SharedPaceOptions): SharedPace => {
  const buckets = lruMap<string, TokenBucket>(maxKeys)
  const bucketOf = (key: string, pace: Pace) => {
    const bucket = buckets.get(key) ?? tokenBucket(pace, now)
    buckets.set(key, bucket)
    return bucket
  }
  return {
    wait: (key, pace) => bucketOf(key, pace).wait(),
    async take(key, pace) {
      const bucket = bucketOf(key, pace)
      const own = bucket.wait()
      if (own > 0) return own
      bucket.take()
      const { burst, interval } = pace
      const answer = await redis?.ask((client) =>
        client.eval(takeScript, 1, `prosa:pace:${scope}:${key}`, burst, interval),
      )
      const others = Number(answer ?? 0)
      if (others > 0) bucket.block(others)
      return others
    },
  }
}
