export interface LruMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  /** All of them now, the one that was used longest ago first. */
  keys(): K[]
}

/**
 * A map that forgets the entries that were used longest ago once all together weigh more than `capacity`: each weighs 1, or
 * what `weightOf` returns.
 */
export const lruMap = <K, V>(capacity: number, weightOf: (key: K, value: V) => number = () => 1): LruMap<K, V> => {
  const entries = new Map<K, V>()
  let held = 0

  const forget = (key: K) => {
    const value = entries.get(key)
    if (value === undefined) return
    entries.delete(key)
    held -= weightOf(key, value)
  }

  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      forget(key)
      entries.set(key, value)
      held += weightOf(key, value)
      // The way to the oldest entry leads past what was taken out since: not to be gone with every `set`.
      if (held <= capacity) return
      for (const oldest of entries.keys()) {
        forget(oldest)
        if (held <= capacity) return
      }
    },
    delete: forget,
    keys: () => [...entries.keys()],
  }
}
