/** Has at most so much work under way; the rest waits in the order of its coming. Each piece settles as it does by itself. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

export const concurrencyLimit = (most: number): ConcurrencyLimit => {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    // Whoever is let in takes over the place of the one that ended.
    if (underWay >= most) await new Promise<void>((begin) => waiting.push(begin))
    else underWay++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay--
    }
  }
}
