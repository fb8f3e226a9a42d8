import { uncorrelated } from '../../observability/correlation.ts'

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

export interface WriteBehindOptions {
  /** How much may wait; what a process offers at its end is in its memory anyway, and does not count. */
  maxWaiting: number
  /** A stop has 25 s for everything. */
  drainMs: number
  onFailure: (error: unknown) => void
}

export const writeBehind = ({ maxWaiting, drainMs, onFailure }: WriteBehindOptions): WriteBehind => {
  const waiting = new Map<string, () => Promise<void>>()
  const offers: (() => void)[] = []
  let writing: Promise<void> | undefined
  let isEnding = false

  const writeAll = async () => {
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [name, work] = next.value
      waiting.delete(name)
      try {
        await work()
      } catch (error) {
        onFailure(error)
      }
    }
    writing = undefined
  }

  return {
    offer(name, work) {
      if (!isEnding && !waiting.has(name) && waiting.size >= maxWaiting) return false
      waiting.set(name, work)
      writing ??= uncorrelated(writeAll)
      return true
    },
    beforeEnd: (offer) => void offers.push(offer),
    async drain() {
      isEnding = true
      for (const offer of offers) offer()
      isEnding = false
      let timer: NodeJS.Timeout | undefined
      const isOver = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          waiting.clear()
          resolve()
        }, drainMs)
      })
      await Promise.race([writing, isOver])
      clearTimeout(timer)
    },
    waiting: () => waiting.size,
  }
}
