import { lruMap } from '@prosa/kernel/lru-map'
import { type TokenBucket, tokenBucket } from './token-bucket.ts'

export interface ResumeLimiter {
  /** undefined at once when the tenant's queue is full. */
  run<T>(owner: string, read: () => Promise<T>): Promise<T | undefined>
  refused(): number
}

/** Concurrent in this process, concurrent and queued for a tenant. */
const maxAtOnce = 8
const maxPerTenant = 2
const maxWaiting = 20
const perSecond = 1
const maxTenants = 10_000

/**
 * Limits reads of the log, fair between tenants. A tenant has `burst` reads, then one a second; beyond, browsers reload, at constant cost.
 */
export const resumeLimiter = (burst: number, stopwatch: () => number): ResumeLimiter => {
  const buckets = lruMap<string, TokenBucket>(maxTenants)
  /** By tenant, next first. */
  const waiting = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let total = 0
  let refused = 0

  const isWithinPace = (owner: string): boolean => {
    const bucket = buckets.get(owner) ?? tokenBucket({ perSecond, burst }, stopwatch)
    buckets.set(owner, bucket)
    return bucket.take()
  }

  const startNext = () => {
    for (const [owner, queue] of waiting) {
      if (total >= maxAtOnce) return
      if ((running.get(owner) ?? 0) >= maxPerTenant) continue
      const start = queue.shift()
      waiting.delete(owner)
      if (queue.length > 0) waiting.set(owner, queue)
      start?.()
    }
  }

  const begin = (owner: string) => {
    total += 1
    running.set(owner, (running.get(owner) ?? 0) + 1)
  }

  const end = (owner: string) => {
    total -= 1
    const left = (running.get(owner) ?? 1) - 1
    if (left > 0) running.set(owner, left)
    else running.delete(owner)
    startNext()
  }

  return {
    async run(owner, read) {
      const queue = waiting.get(owner) ?? []
      if (queue.length >= maxWaiting || !isWithinPace(owner)) {
        refused += 1
        return undefined
      }
      await new Promise<void>((resolve) => {
        queue.push(() => {
          begin(owner)
          resolve()
        })
        waiting.set(owner, queue)
        startNext()
      })
      return read().finally(() => end(owner))
    },
    refused: () => refused,
  }
}
