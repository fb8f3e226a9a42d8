import { concurrencyLimit } from '@prosa/kernel/async/concurrency-limit'
import { type TokenBucket, tokenBucket } from '@prosa/kernel/async/token-bucket'
import { lruMap } from '@prosa/kernel/lru-map'

export interface ResumeLimiter {
  /** undefined at once when the tenant's queue is full. */
  run<T>(tenant: string, read: () => Promise<T>): Promise<T | undefined>
  refused(): number
}

/** Concurrent in this process, concurrent and queued for a tenant. */
const maxAtOnce = 8
const maxPerTenant = 2
const maxWaiting = 20
const intervalMs = 1000
const maxTenants = 10_000

/**
 * Limits reads of the log, fair between tenants. A tenant has `burst` reads, then one a second; beyond, browsers reload, at constant cost.
 */
export const resumeLimiter = (burst: number, stopwatch: () => number): ResumeLimiter => {
  const buckets = lruMap<string, TokenBucket>(maxTenants)
  const limit = concurrencyLimit({ atOnce: maxAtOnce, atOncePerKey: maxPerTenant })
  let refused = 0

  const isWithinPace = (tenant: string): boolean => {
    const bucket = buckets.get(tenant) ?? tokenBucket({ interval: intervalMs, burst }, stopwatch)
    buckets.set(tenant, bucket)
    return bucket.tryTake()
  }

  return {
    async run(tenant, read) {
      if (limit.waitingOf(tenant) < maxWaiting && isWithinPace(tenant)) return limit.run(read, { key: tenant })
      refused += 1
      return undefined
    },
    refused: () => refused,
  }
}
