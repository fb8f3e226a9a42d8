import { setImmediate } from 'node:timers/promises'
import { StoreUnavailable } from '../../async/reachability.ts'
import type { AppendRequest } from '../append-request.ts'
import type { AppendResult } from '../port.ts'

interface Entry {
  request: AppendRequest
  resolve(result: AppendResult): void
  reject(error: unknown): void
}

export interface AppendBatcher {
  append(request: AppendRequest): Promise<AppendResult>
  /** Settles once every append has its answer. */
  drained(): Promise<void>
}

/**
 * Group commit: requests gather while a commit runs, without a timer, at most one per stream. A failed batch is halved until the faulty
 * request fails alone; an unreachable store fails all.
 */
export const appendBatcher = (
  commit: (requests: readonly AppendRequest[]) => Promise<readonly AppendResult[]>,
  { maxRequests = 256, maxBytes = 4 * 1024 * 1024 } = {},
): AppendBatcher => {
  const waiting = new Map<string, Entry[]>()
  let flushing: Promise<void> | undefined

  const takeBatch = (): Entry[] => {
    const batch: Entry[] = []
    const crowded: [string, Entry[]][] = []
    let bytes = 0
    for (const [stream, entries] of waiting) {
      const first = entries[0]
      if (first === undefined) throw new Error('a queued stream has no append')
      bytes += first.request.sizeBytes
      if (batch.length === maxRequests || (batch.length > 0 && bytes > maxBytes)) break
      batch.push(first)
      waiting.delete(stream)
      if (entries.length > 1) crowded.push([stream, entries.slice(1)])
    }
    for (const [stream, entries] of crowded) waiting.set(stream, entries)
    return batch
  }

  const settle = async (batch: readonly Entry[]): Promise<void> => {
    try {
      const results = await commit(batch.map(({ request }) => request))
      if (results.length !== batch.length) throw new Error(`${batch.length} appends got ${results.length} answers`)
      results.forEach((result, index) => {
        batch[index]?.resolve(result)
      })
    } catch (error) {
      if (batch.length === 1 || error instanceof StoreUnavailable) {
        for (const { reject } of batch) reject(error)
        return
      }
      const middle = batch.length >> 1
      await settle(batch.slice(0, middle))
      await settle(batch.slice(middle))
    }
  }

  const flush = async () => {
    while (waiting.size > 0) {
      // Callers that were just answered join the batch.
      await setImmediate()
      await settle(takeBatch())
    }
    flushing = undefined
  }

  return {
    append: (request) =>
      new Promise((resolve, reject) => {
        const entry = { request, resolve, reject }
        const line = waiting.get(request.stream)
        if (line) line.push(entry)
        else waiting.set(request.stream, [entry])
        flushing ??= flush()
      }),
    drained: async () => {
      while (flushing) await flushing
    },
  }
}
