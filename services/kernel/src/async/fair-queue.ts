/** What waits, by whose it is: everybody who has something in it is served once before anybody is served again. */
export interface FairQueue<T> {
  push(whose: string, item: T): void
  /** The next item of somebody who may be served; undefined where there is none. */
  take(mayBeServed?: (whose: string) => boolean): T | undefined
  remove(whose: string, item: T): void
  /** The last item of whoever has most in it, and more than one: what makes room for somebody who has nothing there. */
  crowding(): T | undefined
  size(): number
  /** How much waits of one of them. */
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
        // To the end of the line, with what is left.
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
