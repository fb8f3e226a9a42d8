import { uncorrelated } from '../../observability/correlation.ts'

/** A serial queue with one entry per name. */
export interface WriteBehind {
  /** Replaces work of the same name; false when full. */
  offer(name: string, work: () => Promise<void>): boolean
  /** Called before shutdown to offer work. */
  beforeEnd(offer: () => void): void
  /** Resolves when done or out of time. */
  drain(): Promise<void>
  waiting(): number
}

export interface WriteBehindOptions {
  /** Offers at shutdown do not count. */
  maxWaiting: number
  /** A shutdown has 25 s in all. */
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
