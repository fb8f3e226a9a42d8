import { lruMap } from '@prosa/kernel/lru-map'
import { type Pace, type TokenBucket, tokenBucket } from './pacing/token-bucket.ts'

/** Whose line of a process may ask WhatsApp for codes: so many at a time, and each tenant at its own pace. */
export interface LinkingTurns {
  /**
   * Whether the connection may begin now; it then has its turn until `leave`. Otherwise it waits, and `onTurn` is called once it has
   * its turn. Asking again changes nothing.
   */
  take(line: WaitingLine): boolean
  /** Its turn is over, or it waits no longer. */
  leave(connectionId: string): void
  waiting(): number
}

export interface WaitingLine {
  connectionId: string
  owner: string
  /** How often one tenant may begin, here. */
  pace: Pace
  onTurn(): void
}

/** Tenants whose pace is remembered. */
const maxTenants = 10_000

/** Of those who wait, the tenant with the fewest turns is next, and of its lines the one that has waited longest. */
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

  /** Gives out the turns that there are; called again when the next tenant's pace lets it begin. */
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
