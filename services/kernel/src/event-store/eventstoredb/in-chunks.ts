import type { Readable } from 'node:stream'
import { GoneSilent } from './failures.ts'

export interface Chunks<Item> {
  /** Puts something in line behind the items that the stream has given so far; a chunk gathers no longer when it is `last`. */
  note(item: Item, last?: boolean): void
  /** What has come since the last call, in order; undefined at the end of the stream, or when the signal aborts. */
  next(signal?: AbortSignal): Promise<Item[] | undefined>
  /** Ends the call on the server. */
  stop(): void
}

export interface ChunkOptions {
  /** How many items gather at most before the stream is held back. */
  limit: number
  /** How long a chunk may go on gathering once it has something; 0 hands on what is there. */
  gatherMs: number
  /** How long the server may send nothing while somebody waits for it, before `GoneSilent`. */
  silenceMs: number
  /** Ends the call. */
  cancel: () => Promise<void>
}

/**
 * A stream of the client in chunks. Its own iteration costs more than the parsing, has no time-out, and does not show which
 * events came before a signal such as `caughtUp`: signals overtake events that wait in the stream's buffer, so that buffer is
 * emptied first. What came before a failure is handed out before the failure is thrown.
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
  // It stays for good: the client may report another error after the first, and without a listener that ends the process.
  stream.on('error', (failure) => settle({ failure }))

  /** Resolves with the next sign of life, false when there was none in time. */
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
      // The client rejects when the call was never made; there is nothing to end then.
      cancel().catch(() => undefined)
    },
  }
}
