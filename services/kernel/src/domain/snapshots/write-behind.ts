import { uncorrelated } from '../../observability/correlation.ts'

/** A stop has 25 s for everything. */
const drainMilliseconds = 3000

/** Work that waits for one writer, one of each name, done one after the other. */
export interface WriteBehind {
  /** Puts work in line, in place of what waits under the same name; false when the line is full. */
  offer(name: string, work: () => Promise<void>): boolean
  /** Called when the process is about to end: what is worth saving is to be offered then. */
  beforeEnd(offer: () => void): void
  /** Resolves when what was offered by the end is done, or the time for it is over. */
  drain(): Promise<void>
  waiting(): number
}

export const writeBehind = (mostWaiting: number): WriteBehind => {
  const waiting = new Map<string, () => Promise<void>>()
  const offers: (() => void)[] = []
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [name, work] = next.value
      waiting.delete(name)
      await work()
    }
    writing = undefined
  }

  return {
    offer(name, work) {
      if (!waiting.has(name) && waiting.size >= mostWaiting) return false
      waiting.set(name, work)
      writing ??= uncorrelated(writeAll)
      return true
    },
    beforeEnd: (offer) => void offers.push(offer),
    async drain() {
      for (const offer of offers) offer()
      const timer = setTimeout(() => waiting.clear(), drainMilliseconds)
      await writing
      clearTimeout(timer)
    },
    waiting: () => waiting.size,
  }
}
