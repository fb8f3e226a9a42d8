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
 * each allows the whole limit, and a restart forgets. That is enough against guessing, and needs no round trip. `now` is a
 * stopwatch, in milliseconds.
 */
export const attempts = (now: () => number): Attempts => {
  const windows = lruMap<string, { count: number; endsAt: number }>(rememberedKeys)
  return {
    add(key, windowSeconds) {
      const at = now()
      let window = windows.get(key)
      if (!window || window.endsAt <= at) {
        window = { count: 0, endsAt: at + windowSeconds * 1000 }
        windows.set(key, window)
      }
      window.count += 1
      return { count: window.count, secondsLeft: (window.endsAt - at) / 1000 }
    },
    takeBack(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count -= 1
    },
  }
}
