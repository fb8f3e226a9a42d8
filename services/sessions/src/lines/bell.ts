import { setTimeout as delay } from 'node:timers/promises'

/** Lets somebody wait until there is news, which may also come before anybody waits. */
export interface Bell {
  ring(): void
  /** Resolves at once when it rang since the last time, else when it rings, after so long, or when the signal aborts. */
  heard(atMostMilliseconds: number, signal: AbortSignal): Promise<void>
}

export const bell = (): Bell => {
  let hasRung = false
  let rings = new AbortController()
  return {
    ring() {
      hasRung = true
      rings.abort()
    },
    async heard(atMostMilliseconds, signal) {
      if (!hasRung) {
        rings = new AbortController()
        const over = AbortSignal.any([signal, rings.signal])
        await delay(atMostMilliseconds, undefined, { signal: over }).catch(() => over.aborted)
      }
      hasRung = false
    },
  }
}
