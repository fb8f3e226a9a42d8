import type { Readable } from 'node:stream'
import { GoneSilent } from './failures.ts'

export interface Chunks<Item> {
  /** `last` ends the chunk. */
  note(item: Item, last?: boolean): void
  /** Undefined at the end of the stream or on abort. */
  next(signal?: AbortSignal): Promise<Item[] | undefined>
  stop(): void
}

export interface ChunkOptions {
  limit: number
  /** Counted from the first item. */
  gatherMs: number
  /** Silence allowed before `GoneSilent`. */
  silenceMs: number
  cancel: () => Promise<void>
}

/**
 * The client's iteration is slow and has no time-out. Signals such as `caughtUp` overtake buffered events, so the buffer is emptied first.
 * Items before a failure come out before it.
 */
export const inChunks = <Item>(stream: Readable, options: ChunkOptions): Chunks<Item> => {
  const { limit, gatherMs, silenceMs, cancel } = options
  let items: Item[] = []
  let over: { failure?: unknown } | undefined
  let isWhole = false
  let rouse: (() => void) | undefined

  const drain = () => {
    for (let item: Item | null = stream.read(); item !== null; item = stream.read()) items.push(item)
  }
  const settle = (outcome: { failure?: unknown }) => {
    over ??= outcome
    rouse?.()
  }

  stream.on('readable', () => {
    if (items.length < limit) drain()
    rouse?.()
  })
  stream.on('end', () => settle({}))
  stream.on('close', () => settle({}))
  // Never removed: a second error without a listener ends the process.
  stream.on('error', (failure) => settle({ failure }))

  /** False on time-out. */
  const sign = (ms: number, signal: AbortSignal | undefined) =>
    new Promise<boolean>((resolve) => {
      const done = (isAlive: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', roused)
        rouse = undefined
        resolve(isAlive)
      }
      const roused = () => done(true)
      const timer = setTimeout(() => done(false), ms)
      signal?.addEventListener('abort', roused)
      rouse = roused
    })

  const gather = async (signal: AbortSignal | undefined) => {
    const end = performance.now() + gatherMs
    for (let left = gatherMs; left > 0 && items.length < limit && !isWhole && !over; left = end - performance.now()) {
      if (signal?.aborted) return
      await sign(left, signal)
      drain()
    }
  }

  return {
    note: (item, last = false) => {
      drain()
      items.push(item)
      isWhole ||= last
      rouse?.()
    },
    next: async (signal) => {
      drain()
      while (items.length === 0) {
        if (signal?.aborted) return undefined
        if (over && 'failure' in over) throw over.failure
        if (over) return undefined
        if (!(await sign(silenceMs, signal))) throw new GoneSilent('EventStoreDB has gone silent')
        drain()
      }
      await gather(signal)
      const chunk = items
      items = []
      isWhole = false
      return chunk
    },
    stop: () => {
      // The client rejects when the call was never made.
      cancel().catch(() => undefined)
    },
  }
}
