import { atom, useAtomValue } from 'jotai'
import { inPage, pageStore } from '../browser/page-store.ts'

/** Factor on the intervals of the specification, 9, while pushes arrive. */
const slowdown = 5
/** Polling stays fast for this long after an update that no push announced. */
const distrustMs = 60_000

const pushesAtom = atom({ arrive: false, distrustedUntilMs: Number.NEGATIVE_INFINITY })
/** As of the latest change: that the distrust is over is only seen when asked. */
const isLiveAtom = atom(false)

const isLive = () => {
  const { arrive, distrustedUntilMs } = pageStore.get(pushesAtom)
  return arrive && performance.now() >= distrustedUntilMs
}

const change = (part: { arrive: boolean } | { distrustedUntilMs: number }) => {
  pageStore.set(pushesAtom, (pushes) => ({ ...pushes, ...part }))
  pageStore.set(isLiveAtom, isLive())
}

export const notePushes = (arrive: boolean): void => change({ arrive })

export const distrustPushes = (): void => change({ distrustedUntilMs: performance.now() + distrustMs })

/** In ms; ask again after every poll. */
export const pollingPace = (ms: number): number => (isLive() ? ms * slowdown : ms)

/** Renders again on a change of pace, which queries must not miss until their next poll. */
export const usePollingPace = (): boolean => useAtomValue(isLiveAtom, inPage)
