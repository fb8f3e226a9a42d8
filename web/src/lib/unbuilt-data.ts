import { useSyncExternalStore } from 'react'

/** Screens read again more often than that; what nobody reads any more is forgotten, in milliseconds. */
const rememberedMs = 60_000

/** The paths whose answers held less than there is, and since when. */
const incomplete = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

const forget = (path: string) => {
  clearTimeout(incomplete.get(path))
  if (incomplete.delete(path)) for (const listener of listeners) listener()
}

/** Remembers whether the server is still building what this answer shows. */
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

/** True while something on the screen is less than there is, because this release is still building it from the log. */
export const useUnbuiltData = (): boolean => useSyncExternalStore(follow, () => incomplete.size > 0)
