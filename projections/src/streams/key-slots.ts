import { refuse } from '@prosa/kernel/http/problem'

/** Answers of a key that are under way, in this process. */
export interface KeySlots {
  take(key: string): void
  release(key: string): void
}

export const keySlots = (maxAtOnce: number): KeySlots => {
  const taken = new Map<string, number>()
  const add = (key: string, change: number) => {
    const now = (taken.get(key) ?? 0) + change
    if (now > 0) taken.set(key, now)
    else taken.delete(key)
  }
  return {
    take(key) {
      if ((taken.get(key) ?? 0) >= maxAtOnce) throw refuse('too_many_streams')
      add(key, 1)
    },
    release: (key) => add(key, -1),
  }
}
