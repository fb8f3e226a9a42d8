import { type Pace, type TokenBucket, tokenBucket } from '@prosa/kernel/async/token-bucket'
import { lruMap } from '@prosa/kernel/lru-map'

/** Limits lines that ask WhatsApp for codes in a process, and each tenant's rate. */
export interface LinkingSlots {
  /** True: the connection may begin, and counts until `release`. Otherwise `onSlot` is called later. Idempotent. */
  take(line: WaitingLine): boolean
  release(connectionId: string): void
  waiting(): number
}

export interface WaitingLine {
  connectionId: string
  owner: string
  pace: Pace
  onSlot(): void
}

const maxTenants = 10_000

/** Next is the waiting tenant with the fewest active lines, and its longest waiting line. */
export const linkingSlots = (maxActive: number, now: () => number): LinkingSlots => {
  const active = new Map<string, string>()
  const queue = new Map<string, WaitingLine>()
  const buckets = lruMap<string, TokenBucket>(maxTenants)
  let timer: NodeJS.Timeout | undefined

  const bucketOf = ({ owner, pace }: WaitingLine): TokenBucket => {
    const bucket = buckets.get(owner) ?? tokenBucket(pace, now)
    buckets.set(owner, bucket)
    return bucket
  }
  const activeOf = (owner: string) => [...active.values()].filter((each) => each === owner).length

  const next = (): WaitingLine | undefined => {
    const ready = [...queue.values()].filter((line) => bucketOf(line).wait() === 0)
    return ready.sort((one, other) => activeOf(one.owner) - activeOf(other.owner))[0]
  }

  const startNext = () => {
    clearTimeout(timer)
    while (active.size < maxActive) {
      const line = next()
      if (!line) break
      queue.delete(line.connectionId)
      active.set(line.connectionId, line.owner)
      bucketOf(line).take()
      line.onSlot()
    }
    if (queue.size === 0 || active.size >= maxActive) return
    timer = setTimeout(startNext, Math.min(...[...queue.values()].map((line) => bucketOf(line).wait())))
    timer.unref()
  }

  return {
    take(line) {
      if (active.has(line.connectionId)) return true
      if (queue.has(line.connectionId)) return false
      let isAtOnce = true
      let hasSlot = false
      const onSlot = () => {
        if (isAtOnce) hasSlot = true
        else line.onSlot()
      }
      queue.set(line.connectionId, { ...line, onSlot })
      startNext()
      isAtOnce = false
      return hasSlot
    },
    release(connectionId) {
      const wasActive = active.delete(connectionId)
      if (queue.delete(connectionId) || wasActive) startNext()
    },
    waiting: () => queue.size,
  }
}
