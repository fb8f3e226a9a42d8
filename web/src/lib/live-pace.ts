import { useSyncExternalStore } from 'react'

/** How much slower than the specification, 9, everything is polled while pushes name what is new. */
const slowdown = 5
/** For how long the line is not trusted after an update that no push announced. */
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

/** From here on pushes arrive, or no longer do. */
export const notePushes = (arrive: boolean): void =>
  change(() => {
    pushed = arrive
  })

/** A poll brought what a push should have announced: for a while everything is polled as if there were none. */
export const distrustPushes = (): void =>
  change(() => {
    distrustedUntilMs = performance.now() + distrustMs
  })

/** After how many ms to poll again what the specification, 9, polls every `milliseconds`; to be asked anew after every poll. */
export const pollingPace = (ms: number): number => (isLive() ? ms * slowdown : ms)

const follow = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Renders again when the pace changes, so that the queries of a screen take it up at once and not only after their next poll. */
export const usePollingPace = (): boolean => useSyncExternalStore(follow, isLive)
