import { useSyncExternalStore } from 'react'

/** Factor on the intervals of the specification, 9, while pushes arrive. */
const slowdown = 5
/** Polling stays fast for this long after an update that no push announced. */
const distrustMs = 60_000

let pushed = false
let distrustedUntilMs = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()

const isLive = () => pushed && performance.now() >= distrustedUntilMs

const change = (make: () => void) => {
  const before = isLive()
  make()
  if (isLive() !== before) for (const listener of listeners) listener()
}

export const notePushes = (arrive: boolean): void =>
  change(() => {
    pushed = arrive
  })

export const distrustPushes = (): void =>
  change(() => {
    distrustedUntilMs = performance.now() + distrustMs
  })

/** In ms; ask again after every poll. */
export const pollingPace = (ms: number): number => (isLive() ? ms * slowdown : ms)

const follow = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Renders again on a change of pace, which queries must not miss until their next poll. */
export const usePollingPace = (): boolean => useSyncExternalStore(follow, isLive)
