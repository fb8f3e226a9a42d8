import type { Pace } from '@prosa/kernel/async/token-bucket'
import type { Redis } from '@prosa/kernel/redis/redis'
import { sharedPace } from '@prosa/kernel/redis/shared-pace'
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

/** Buckets survive while a line is down or restarted; with Redis also when it moves to another process. */
const maxConnections = 10_000

/** Milliseconds to wait for the next look-up; 0: it was taken. */
export type TakeLookUp = () => Promise<number>

export const lookUpsOfLines = (
  perHour: number,
  now: () => number,
  redis?: Redis,
): ((connectionId: string) => TakeLookUp) => {
  const pace = lookUpPace(perHour)
  const shared = sharedPace({ redis, now, scope: 'look-ups', maxKeys: maxConnections })
  return (connectionId) => () => shared.take(connectionId, pace)
}

/** Rejects with `LookUpsExhausted` without a token. */
export const pacedLookUps = (handle: LineHandle, take: TakeLookUp): LineHandle => ({
  ...handle,
  async findNumber(phone) {
    const wait = await take()
    if (wait > 0) throw new LookUpsExhausted(wait)
    return handle.findNumber(phone)
  },
})
