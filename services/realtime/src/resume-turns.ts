import { concurrencyLimit } from '@prosa/kernel/async/concurrency-limit'
import { type TokenBucket, tokenBucket } from '@prosa/kernel/async/token-bucket'
import { lruMap } from '@prosa/kernel/lru-map'

export interface ResumeTurns {
  /** undefined at once when the tenant's queue is full. */
  take<T>(owner: string, read: () => Promise<T>): Promise<T | undefined>
  refused(): number
}

/** Concurrent in this process, concurrent and queued for a tenant. */
const atOnce = 8
const perTenant = 2
const inLine = 20
const intervalMs = 1000
const rememberedTenants = 10_000

/**
 * Limits reads of the log, fair between tenants. A tenant has `burst` reads, then one a second; beyond, browsers reload, at constant cost.
 */
export const resumeTurns = (burst: number, stopwatch: () => number): ResumeTurns => {
  const buckets = lruMap<string, TokenBucket>(rememberedTenants)
  const limit = concurrencyLimit({ atOnce, atOncePerKey: perTenant })
  let refused = 0

  const isWithinPace = (owner: string): boolean => {
    const bucket = buckets.get(owner) ?? tokenBucket({ interval: intervalMs, burst }, stopwatch)
    buckets.set(owner, bucket)
    return bucket.tryTake()
  }

  return {
    async take(owner, read) {
      if (limit.waitingOf(owner) < inLine && isWithinPace(owner)) return limit.run(read, { key: owner })
      refused += 1
      return undefined
    },
    refused: () => refused,
  }
}
