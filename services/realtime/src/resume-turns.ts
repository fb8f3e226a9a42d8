import { lruMap } from '@prosa/kernel/lru-map'
import { type TokenBucket, tokenBucket } from './token-bucket.ts'

export interface ResumeTurns {
  /** undefined at once when the tenant's queue is full. */
  take<T>(owner: string, read: () => Promise<T>): Promise<T | undefined>
  refused(): number
}

/** Concurrent in this process, concurrent and queued for a tenant. */
const atOnce = 8
const perTenant = 2
const inLine = 20
const perSecond = 1
const rememberedTenants = 10_000

/**
 * Limits reads of the log, fair between tenants. A tenant has `burst` reads, then one a second; beyond, browsers reload, at constant cost.
 */
export const resumeTurns = (burst: number, stopwatch: () => number): ResumeTurns => {
  const buckets = lruMap<string, TokenBucket>(rememberedTenants)
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
    for (const [owner, line] of waiting) {
      if (total >= atOnce) return
      if ((running.get(owner) ?? 0) >= perTenant) continue
      const start = line.shift()
      waiting.delete(owner)
      if (line.length > 0) waiting.set(owner, line)
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
    async take(owner, read) {
      const line = waiting.get(owner) ?? []
      if (line.length >= inLine || !isWithinPace(owner)) {
        refused += 1
        return undefined
      }
      await new Promise<void>((resolve) => {
        line.push(() => {
          begin(owner)
          resolve()
        })
        waiting.set(owner, line)
        startNext()
      })
      return read().finally(() => end(owner))
    },
    refused: () => refused,
  }
}
