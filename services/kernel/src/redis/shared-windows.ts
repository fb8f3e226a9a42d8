import type { Redis } from './redis.ts'

export interface SharedCount {
  count: number
  msLeft: number
}

/** A window begins with the first count of any process. */
const addScript = `
local count = redis.call('incrby', KEYS[1], ARGV[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2])
end
return {count, left}`

/** Never begins a window: a negative count would permit more than the limit. */
const takeBackScript = `if redis.call('exists', KEYS[1]) == 1 then redis.call('decr', KEYS[1]) end`

const keyOf = (key: string) => `prosa:window:${key}`

/** Counts within windows over all processes. */
export const sharedWindows = (redis: Redis | undefined) => ({
  /** Undefined while Redis is away. */
  async add(key: string, amount: number, windowMs: number): Promise<SharedCount | undefined> {
    const answer = await redis?.ask((client) => client.eval(addScript, 1, keyOf(key), amount, windowMs))
    if (!Array.isArray(answer)) return undefined
    const [count, msLeft] = answer
    return { count: Number(count), msLeft: Number(msLeft) }
  },
  async takeBack(key: string): Promise<void> {
    await redis?.ask((client) => client.eval(takeBackScript, 1, keyOf(key)))
  },
})

export type SharedWindows = ReturnType<typeof sharedWindows>
