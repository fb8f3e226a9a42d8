import { type Pace, type TokenBucket, tokenBucket } from '@prosa/kernel/async/token-bucket'
import { lruMap } from '@prosa/kernel/lru-map'

/** Limits lines that ask WhatsApp for codes in a process, and each tenant's rate. */
export interface LinkingTurns {
  /** True: the connection may begin, and counts until `leave`. Otherwise `onTurn` is called later. Idempotent. */
  take(line: WaitingLine): boolean
  leave(connectionId: string): void
  waiting(): number
}

export interface WaitingLine {
  connectionId: string
  owner: string
  pace: Pace
  onTurn(): void
}

const maxTenants = 10_000

/** Next is the waiting tenant with the fewest active lines, and its longest waiting line. */
export const linkingTurns = (atMost: number, now: () => number): LinkingTurns => {
  const active = new Map<string, string>()
  const queue = new Map<string, WaitingLine>()
  const buckets = lruMap<string, TokenBucket>(maxTenants)
  let timer: NodeJS.Timeout | undefined

  const bucketOf = ({ owner, pace }: WaitingLine): TokenBucket => {
    const bucket = buckets.get(owner) ?? tokenBucket(pace, now)
    buckets.set(owner, bucket)
    return bucket
  }
  const turnsOf = (owner: string) => [...active.values()].filter((each) => each === owner).length

  const next = (): WaitingLine | undefined => {
    const ready = [...queue.values()].filter((line) => bucketOf(line).wait() === 0)
    return ready.sort((one, other) => turnsOf(one.owner) - turnsOf(other.owner))[0]
  }

  const giveOut = () => {
    clearTimeout(timer)
    while (active.size < atMost) {
      const line = next()
      if (!line) break
      queue.delete(line.connectionId)
      active.set(line.connectionId, line.owner)
      bucketOf(line).take()
      line.onTurn()
    }
    if (queue.size === 0 || active.size >= atMost) return
    timer = setTimeout(giveOut, Math.min(...[...queue.values()].map((line) => bucketOf(line).wait())))
    timer.unref()
  }

  return {
    take(line) {
      if (active.has(line.connectionId)) return true
      if (queue.has(line.connectionId)) return false
      let isAtOnce = true
      let hasTurn = false
      const onTurn = () => {
        if (isAtOnce) hasTurn = true
        else line.onTurn()
      }
      queue.set(line.connectionId, { ...line, onTurn })
      giveOut()
      isAtOnce = false
      return hasTurn
    },
    leave(connectionId) {
      const had = active.delete(connectionId)
      if (queue.delete(connectionId) || had) giveOut()
    },
    waiting: () => queue.size,
  }
}
