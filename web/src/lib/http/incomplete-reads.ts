import { atom, useAtomValue } from 'jotai'
import { inPage, pageStore } from '../browser/page-store.ts'

/** Screens refetch more often; paths not read for this long are forgotten. */
const expiryMs = 60_000

/** Paths with incomplete replies, and their expiry timers. */
const incomplete = new Map<string, ReturnType<typeof setTimeout>>()
const hasIncompleteAtom = atom(false)

const forget = (path: string) => {
  clearTimeout(incomplete.get(path))
  incomplete.delete(path)
  pageStore.set(hasIncompleteAtom, incomplete.size > 0)
}

export const noteCompleteness = (path: string, isComplete: boolean): void => {
  if (isComplete) {
    forget(path)
    return
  }
  clearTimeout(incomplete.get(path))
  incomplete.set(
    path,
    setTimeout(() => forget(path), expiryMs),
  )
  pageStore.set(hasIncompleteAtom, true)
}

/** The server still builds something on the screen from the log. */
export const useHasIncompleteReads = (): boolean => useAtomValue(hasIncompleteAtom, inPage)
