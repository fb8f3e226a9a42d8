export interface LruMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  /** Least recently used first. */
  keys(): K[]
}

interface Entry<K, V> {
  key: K
  value: V
  weight: number
  older: Entry<K, V> | undefined
  newer: Entry<K, V> | undefined
}

/**
 * Evicts the least recently used entries beyond `capacity`, the sum of weights (1 by default). Each call takes constant time; the order of a `Map` does not
 * give that: whoever asks for its first entry passes all deleted ones.
 */
export const lruMap = <K, V>(capacity: number, weightOf: (key: K, value: V) => number = () => 1): LruMap<K, V> => {
  const entries = new Map<K, Entry<K, V>>()
  let oldest: Entry<K, V> | undefined
  let newest: Entry<K, V> | undefined
  let totalWeight = 0

  const unlink = ({ older, newer }: Entry<K, V>) => {
    if (older) older.newer = newer
    else oldest = newer
    if (newer) newer.older = older
    else newest = older
  }

  const linkAsNewest = (entry: Entry<K, V>) => {
    entry.older = newest
    entry.newer = undefined
    if (newest) newest.newer = entry
    else oldest = entry
    newest = entry
  }

  const remove = (entry: Entry<K, V>) => {
    unlink(entry)
    entries.delete(entry.key)
    totalWeight -= entry.weight
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry && entry !== newest) {
        unlink(entry)
        linkAsNewest(entry)
      }
      return entry?.value
    },
    set(key, value) {
      const before = entries.get(key)
      if (before) remove(before)
      const entry: Entry<K, V> = { key, value, weight: weightOf(key, value), older: undefined, newer: undefined }
      linkAsNewest(entry)
      entries.set(key, entry)
      totalWeight += entry.weight
      while (totalWeight > capacity && oldest) remove(oldest)
    },
    delete(key) {
      const entry = entries.get(key)
      if (entry) remove(entry)
    },
    keys() {
      const keys: K[] = []
      for (let entry = oldest; entry; entry = entry.newer) keys.push(entry.key)
      return keys
    },
  }
}
