import type { Clock } from '../clock.ts'
import { lruMap } from '../lru-map.ts'

export interface Attempts {
  /** One more attempt under this key: how many there are in its window now, this one among them, and when the window ends. */
  add(key: string, windowSeconds: number): { count: number; secondsLeft: number }
  /** One attempt less: it turned out to be none of those that count. */
  takeBack(key: string): void
}

/** Who floods us with keys pushes out the longest unused ones and no more memory than these need (about 10 MB). */
const rememberedKeys = 50_000

/**
 * Counts attempts in windows that begin with a key's first attempt, in the memory of this process: with several processes
 * each allows the whole limit, and a restart forgets. That is enough against guessing, and needs no round trip.
 */
export const attempts = (clock: Clock): Attempts => {
  const windows = lruMap<string, { count: number; endsAt: number }>(rememberedKeys)
  return {
    add(key, windowSeconds) {
      const now = Date.parse(clock.now())
      const known = windows.get(key)
      const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + windowSeconds * 1000 }
      window.count += 1
      windows.set(key, window)
      return { count: window.count, secondsLeft: (window.endsAt - now) / 1000 }
    },
    takeBack(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count -= 1
    },
  }
}
