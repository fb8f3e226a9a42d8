import { randomUUID } from 'node:crypto'
import { setInterval } from 'node:timers/promises'
import type { Redis } from './redis.ts'

export interface Slots {
  /** In this process's view, without asking others. */
  isFull(key: string): boolean
  /** Returns the release; undefined when the key's limit is reached. */
  take(key: string): Promise<(() => void) | undefined>
}

export interface SharedSlots {
  /** `name` distinguishes keys in Redis, which must not be personal. */
  slots(name: string, max: number): Slots
  /** Keeps this process's slots taken until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

/** A killed process's slots are free after so long. */
const aliveMs = 15_000
const beatEveryMs = 5000
/** Until a key without changes is removed; its processes write their counts again long before. */
const countedMs = 3_600_000
const beatsPerRewrite = 240
const aliveKey = (id: string) => `prosa:alive:${id}`

/** A hash of process and count. Counts of processes that ended are removed. */
const takeScript = `
local sum = 0
local counts = redis.call('hgetall', KEYS[1])
for i = 1, #counts, 2 do
  if counts[i] ~= ARGV[1] then
    if redis.call('exists', 'prosa:alive:' .. counts[i]) == 1 then sum = sum + counts[i + 1]
    else redis.call('hdel', KEYS[1], counts[i]) end
  end
end
if sum + ARGV[2] > tonumber(ARGV[3]) then return 0 end
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[4])
redis.call('set', 'prosa:alive:' .. ARGV[1], 1, 'px', ARGV[5])
return 1`

/** Slots by key, over all processes; while Redis is away in each process by itself. */
export const sharedSlots = (redis: Redis | undefined): SharedSlots => {
  const id = randomUUID()
  /** By the key in Redis. */
  const taken = new Map<string, number>()

  const write = (key: string) => {
    const count = taken.get(key) ?? 0
    return redis?.ask((client) =>
      count > 0
        ? client.multi().hset(key, id, count).pexpire(key, countedMs).exec()
        : (client.hdel(key, id) as Promise<unknown>),
    )
  }
  const beat = () => redis?.ask((client) => client.set(aliveKey(id), 1, 'PX', aliveMs))
  const writeAll = async () => {
    await beat()
    for (const key of [...taken.keys()]) await write(key)
  }
  // It may have lost everything.
  redis?.onBack(() => void writeAll())

  const add = (key: string, by: 1 | -1) => {
    const count = (taken.get(key) ?? 0) + by
    if (count > 0) taken.set(key, count)
    else taken.delete(key)
    return count
  }

  return {
    slots(name, max) {
      const keyOf = (key: string) => `prosa:slots:${name}:${key}`
      const isFull = (key: string) => (taken.get(keyOf(key)) ?? 0) >= max
      return {
        isFull,
        async take(wanted) {
          if (isFull(wanted)) return undefined
          const key = keyOf(wanted)
          const count = add(key, 1)
          const answer = await redis?.ask((client) =>
            client.eval(takeScript, 1, key, id, count, max, countedMs, aliveMs),
          )
          if (answer === 0) {
            add(key, -1)
            // Another slot of this process may have been written meanwhile.
            void write(key)
            return undefined
          }
          let isTaken = true
          return () => {
            if (!isTaken) return
            isTaken = false
            add(key, -1)
            void write(key)
          }
        },
      }
    },
    async run(signal) {
      if (!redis) return
      let beats = 0
      try {
        for await (const _ of setInterval(beatEveryMs, undefined, { signal }))
          if (++beats % beatsPerRewrite === 0) await writeAll()
          else await beat()
      } catch (error) {
        if (!signal.aborted) throw error
      }
      await redis.ask((client) => client.del(aliveKey(id)))
    },
  }
}
