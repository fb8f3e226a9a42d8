import { useSyncExternalStore } from 'react'

/** Screens refetch more often; paths not read for this long are forgotten. */
const rememberedMs = 60_000

/** Paths with incomplete replies, and their expiry timers. */
const incomplete = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

const forget = (path: string) => {
  clearTimeout(incomplete.get(path))
  if (incomplete.delete(path)) for (const listener of listeners) listener()
}

export const noteCompleteness = (path: string, isComplete: boolean): void => {
  if (isComplete) {
    forget(path)
    return
  }
  const isNew = !incomplete.has(path)
  clearTimeout(incomplete.get(path))
  incomplete.set(
    path,
    setTimeout(() => forget(path), rememberedMs),
  )
  if (isNew) for (const listener of listeners) listener()
}

const follow = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The server still builds something on the screen from the log. */
export const useUnbuiltData = (): boolean => useSyncExternalStore(follow, () => incomplete.size > 0)
