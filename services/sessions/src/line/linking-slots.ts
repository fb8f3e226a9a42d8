import type { Pace } from '@prosa/kernel/async/token-bucket'
import type { Redis } from '@prosa/kernel/redis/redis'
import { sharedPace } from '@prosa/kernel/redis/shared-pace'

/** Limits lines that ask WhatsApp for codes in a process, and each tenant's rate, with Redis over all processes. */
export interface LinkingSlots {
  /** True: the connection may begin, and counts until `release`. Otherwise `onSlot` is called later. Idempotent. */
  take(line: WaitingLine): Promise<boolean>
  release(connectionId: string): void
  waiting(): number
}

export interface WaitingLine {
  connectionId: string
  tenant: string
  pace: Pace
  onSlot(): void
}

const maxTenants = 10_000

/** Next is the waiting tenant with the fewest active lines, and its longest waiting line. */
export const linkingSlots = (maxActive: number, now: () => number, redis?: Redis): LinkingSlots => {
  const active = new Map<string, string>()
  const queue = new Map<string, WaitingLine>()
  const paces = sharedPace({ redis, now, scope: 'linking', maxKeys: maxTenants })
  let timer: NodeJS.Timeout | undefined
  let starting: Promise<void> | undefined

  const waitOf = ({ tenant, pace }: WaitingLine) => paces.wait(tenant, pace)
  const activeOf = (tenant: string) => [...active.values()].filter((each) => each === tenant).length

  const next = (): WaitingLine | undefined => {
    if (active.size >= maxActive) return undefined
    const ready = [...queue.values()].filter((line) => waitOf(line) === 0)
    return ready.sort((one, other) => activeOf(one.tenant) - activeOf(other.tenant))[0]
  }

  const startAll = async () => {
    clearTimeout(timer)
    for (let line = next(); line; line = next()) {
      const { connectionId, tenant, pace, onSlot } = line
      // Counts at once; others of the tenant may have taken its token in another process.
      queue.delete(connectionId)
      active.set(connectionId, tenant)
      const wait = await paces.take(tenant, pace)
      // Released meanwhile.
      if (!active.has(connectionId)) continue
      if (wait === 0) {
        onSlot()
        continue
      }
      active.delete(connectionId)
      queue.set(connectionId, line)
    }
    if (queue.size === 0 || active.size >= maxActive) return
    timer = setTimeout(() => void startNext(), Math.min(...[...queue.values()].map(waitOf)))
    timer.unref()
  }

  /** One at a time; whatever changes meanwhile is seen by the next. */
  const startNext = (): Promise<void> => {
    const begun = (starting ?? Promise.resolve()).then(startAll)
    starting = begun
    return begun
  }

  return {
    async take(line) {
      if (active.has(line.connectionId)) return true
      if (queue.has(line.connectionId)) return false
      let isAtOnce = true
      let hasSlot = false
      const onSlot = () => {
        if (isAtOnce) hasSlot = true
        else line.onSlot()
      }
      queue.set(line.connectionId, { ...line, onSlot })
      await startNext()
      isAtOnce = false
      return hasSlot
    },
    release(connectionId) {
      const wasActive = active.delete(connectionId)
      if (queue.delete(connectionId) || wasActive) void startNext()
    },
    waiting: () => queue.size,
  }
}
