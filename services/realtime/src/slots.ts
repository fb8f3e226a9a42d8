export interface Slots {
  isFull(key: string): boolean
  /** Returns the release; undefined when the key's limit is reached. */
  take(key: string): (() => void) | undefined
}

export const slots = (max: number): Slots => {
  const taken = new Map<string, number>()
  const isFull = (key: string) => (taken.get(key) ?? 0) >= max
  return {
    isFull,
    take(key) {
      if (isFull(key)) return undefined
      taken.set(key, (taken.get(key) ?? 0) + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        const left = (taken.get(key) ?? 1) - 1
        if (left > 0) taken.set(key, left)
        else taken.delete(key)
      }
    },
  }
}
