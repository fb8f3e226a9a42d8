/** Serves each key (e.g. a tenant) once before any key twice. */
export interface FairQueue<T> {
  push(whose: string, item: T): void
  take(mayBeServed?: (whose: string) => boolean): T | undefined
  remove(whose: string, item: T): void
  /** The last item of the longest queue, if more than one: removing it makes room. */
  crowding(): T | undefined
  size(): number
  sizeOf(whose: string): number
}

export const fairQueue = <T>(): FairQueue<T> => {
  const waiting = new Map<string, Set<T>>()
  let size = 0

  const drop = (whose: string, items: Set<T>, item: T) => {
    if (!items.delete(item)) return
    size -= 1
    if (items.size === 0) waiting.delete(whose)
  }

  return {
    push(whose, item) {
      const items = waiting.get(whose) ?? new Set()
      waiting.set(whose, items)
      items.add(item)
      size += 1
    },
    take(mayBeServed = () => true) {
      for (const [whose, items] of waiting) {
        if (!mayBeServed(whose)) continue
        const [item] = items
        if (item === undefined) continue
        waiting.delete(whose)
        waiting.set(whose, items)
        drop(whose, items, item)
        return item
      }
      return undefined
    },
    crowding() {
      let max: Set<T> | undefined
      for (const items of waiting.values()) if (items.size > (max?.size ?? 1)) max = items
      return max && [...max].at(-1)
    },
    remove(whose, item) {
      const items = waiting.get(whose)
      if (items) drop(whose, items, item)
    },
    size: () => size,
    sizeOf: (whose) => waiting.get(whose)?.size ?? 0,
  }
}
