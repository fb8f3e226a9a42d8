import { lruMap } from '../../lru-map.ts'

export interface Attempts {
  /** Returns the window's count and the seconds until it ends. */
  add(key: string, windowSeconds: number): { count: number; secondsLeft: number }
  takeBack(key: string): void
}

/** Limits memory to about 10 MB; evicts the least recently used keys. */
const maxKeys = 50_000

/**
 * A window begins with a key's first attempt. Counts are per process and lost at a restart: enough against guessing. `now` in milliseconds.
 */
export const attempts = (now: () => number): Attempts => {
  const windows = lruMap<string, { count: number; endsAt: number }>(maxKeys)
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
