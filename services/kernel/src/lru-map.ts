export interface LruMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  /** Least recently used first. */
  keys(): K[]
}

/** Evicts the least recently used entries beyond `capacity`, the sum of weights (1 by default). */
export const lruMap = <K, V>(capacity: number, weightOf: (key: K, value: V) => number = () => 1): LruMap<K, V> => {
  const entries = new Map<K, V>()
  let totalWeight = 0

  const forget = (key: K) => {
    const value = entries.get(key)
    if (value === undefined) return
    entries.delete(key)
    totalWeight -= weightOf(key, value)
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
      totalWeight += weightOf(key, value)
      // Too slow for every `set`: iteration skips deleted entries.
      if (totalWeight <= capacity) return
      for (const oldest of entries.keys()) {
        forget(oldest)
        if (totalWeight <= capacity) return
      }
    },
    delete: forget,
    keys: () => [...entries.keys()],
  }
}
