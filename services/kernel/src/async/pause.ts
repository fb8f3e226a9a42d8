import { setTimeout as delay } from 'node:timers/promises'

/** Ends early, without an error, when the signal aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
