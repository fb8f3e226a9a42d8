import { useSyncExternalStore } from 'react'

/** A server that asks for a longer pause is asked again after this time all the same, in seconds. */
const maxPauseSeconds = 60
const shortestPauseSeconds = 1

let untilMs = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const waiting = new Set<() => void>()

const isPaused = () => performance.now() < untilMs

const end = () => {
  timer = undefined
  for (const go of waiting) go()
  waiting.clear()
  for (const listener of listeners) listener()
}

/** The server refused a reading because of too many: none goes out for so many seconds. */
export const pauseReading = (seconds: number): void => {
  const pauseMs = 1000 * Math.min(maxPauseSeconds, Math.max(shortestPauseSeconds, seconds))
  if (performance.now() + pauseMs <= untilMs) return
  untilMs = performance.now() + pauseMs
  clearTimeout(timer)
  // A timer may be a moment early by the other clock.
  timer = setTimeout(end, pauseMs + 5)
  for (const listener of listeners) listener()
}

/** Resolves at once, or when the pause is over. */
export const readingAllowed = (): Promise<void> =>
  isPaused() ? new Promise((resolve) => waiting.add(() => resolve())) : Promise.resolve()

const follow = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** True while what is shown is not read again, at the server's wish. */
export const useReadingPaused = (): boolean => useSyncExternalStore(follow, isPaused)
