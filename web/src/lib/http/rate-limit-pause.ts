import { atom, useAtomValue } from 'jotai'
import { inPage, pageStore } from '../browser/page-store.ts'

/** Limits the pause that the server asks for. */
const maxPauseSeconds = 60
const minPauseSeconds = 1

interface Pause {
  untilMs: number
  timer: ReturnType<typeof setTimeout>
}

const pauseAtom = atom<Pause | null>(null)
const waiting = new Set<() => void>()

const end = () => {
  pageStore.set(pauseAtom, null)
  for (const go of waiting) go()
  waiting.clear()
}

/** After a 429. */
export const pauseReading = (seconds: number): void => {
  const pauseMs = 1000 * Math.min(maxPauseSeconds, Math.max(minPauseSeconds, seconds))
  const untilMs = performance.now() + pauseMs
  const current = pageStore.get(pauseAtom)
  if (current && untilMs <= current.untilMs) return
  clearTimeout(current?.timer)
  pageStore.set(pauseAtom, { untilMs, timer: setTimeout(end, pauseMs) })
}

export const readingAllowed = (): Promise<void> =>
  pageStore.get(pauseAtom) ? new Promise((resolve) => waiting.add(() => resolve())) : Promise.resolve()

const isPausedAtom = atom((get) => get(pauseAtom) !== null)

export const useReadingPaused = (): boolean => useAtomValue(isPausedAtom, inPage)
