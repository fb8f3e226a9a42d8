import { lruMap } from '../../lru-map.ts'
import type { SharedWindows } from '../../redis/shared-windows.ts'

export interface Attempt {
  /** Of the window, which begins with a key's first attempt. */
  count: number
  secondsLeft: number
}

export interface Attempts {
  /** Counted over all processes at once. */
  add(key: string, windowSeconds: number): Promise<Attempt>
  /** Without waiting: what other processes count is known each time this one counted `part`. */
  addInParts(key: string, windowSeconds: number, part: number): Attempt
  takeBack(key: string): Promise<void>
}

export interface AttemptsOptions {
  /** Milliseconds. */
  now: () => number
  shared: SharedWindows
  /** Keys name addresses: Redis gets fingerprints of them. */
  fingerprint: (key: string) => string
}

/** Limits memory to about 10 MB; evicts the least recently used keys. */
const maxKeys = 50_000

interface Window {
  /** In this process. */
  count: number
  endsAt: number
  /** What is in `total` of `count`. */
  shared: number
  /** Of all processes, when they were last asked. */
  total: number
  isAsking: boolean
}

/**
 * Counted over all processes with Redis. Without it, and while it is away, each process counts by itself, and a restart begins anew: enough
 * against guessing.
 */
export const attempts = ({ now, shared, fingerprint }: AttemptsOptions): Attempts => {
  const windows = lruMap<string, Window>(maxKeys)

  const windowOf = (key: string, windowSeconds: number): Window => {
    const known = windows.get(key)
    if (known && known.endsAt > now()) return known
    const begun = { count: 0, endsAt: now() + windowSeconds * 1000, shared: 0, total: 0, isAsking: false }
    windows.set(key, begun)
    return begun
  }

  const attemptOf = ({ count, shared: known, total, endsAt }: Window): Attempt => ({
    count: Math.max(count, total + count - known),
    secondsLeft: (endsAt - now()) / 1000,
  })

  const share = async (key: string, window: Window, windowSeconds: number): Promise<void> => {
    const amount = window.count - window.shared
    window.shared = window.count
    window.total += amount
    const answer = await shared.add(fingerprint(key), amount, windowSeconds * 1000)
    if (!answer) return
    window.total = answer.count
    window.endsAt = now() + answer.msLeft
  }

  return {
    async add(key, windowSeconds) {
      const window = windowOf(key, windowSeconds)
      window.count += 1
      window.shared += 1
      window.total += 1
      const { count } = window
      const known = attemptOf(window)
      const answer = await shared.add(fingerprint(key), 1, windowSeconds * 1000)
      if (!answer) return known
      window.total = answer.count
      window.endsAt = now() + answer.msLeft
      return { count: Math.max(count, answer.count), secondsLeft: answer.msLeft / 1000 }
    },
    addInParts(key, windowSeconds, part) {
      const window = windowOf(key, windowSeconds)
      window.count += 1
      if (window.count - window.shared >= part && !window.isAsking) {
        window.isAsking = true
        void share(key, window, windowSeconds).finally(() => {
          window.isAsking = false
        })
      }
      return attemptOf(window)
    },
    async takeBack(key) {
      const window = windows.get(key)
      if (!window || window.count === 0 || window.endsAt <= now()) return
      window.count -= 1
      window.shared -= 1
      window.total -= 1
      await shared.takeBack(fingerprint(key))
    },
  }
}
