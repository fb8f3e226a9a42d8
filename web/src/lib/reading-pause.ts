import { useSyncExternalStore } from 'react'

/** Limits the pause that the server asks for. */
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

/** After a 429. */
export const pauseReading = (seconds: number): void => {
  const pauseMs = 1000 * Math.min(maxPauseSeconds, Math.max(shortestPauseSeconds, seconds))
  if (performance.now() + pauseMs <= untilMs) return
  untilMs = performance.now() + pauseMs
  clearTimeout(timer)
  // A timer may fire slightly early by the other clock.
  timer = setTimeout(end, pauseMs + 5)
  for (const listener of listeners) listener()
}

export const readingAllowed = (): Promise<void> =>
  isPaused() ? new Promise((resolve) => waiting.add(() => resolve())) : Promise.resolve()

const follow = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReadingPaused = (): boolean => useSyncExternalStore(follow, isPaused)
