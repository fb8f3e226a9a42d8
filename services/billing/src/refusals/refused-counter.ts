import type { RefusalReason, WebhookEndpoint } from '@prosa/contracts/values/kiwify'
import type { Clock } from '@prosa/kernel/clock'
import type { Ports } from '@prosa/kernel/ports'
import { hourOf } from './hours.ts'
import { addRefused, type RefusedRow } from './queries.ts'

export interface Refused {
  endpoint: WebhookEndpoint
  reason: RefusalReason
  address: string
}

export interface RefusedCounter {
  /** Resolves once it is stored; throws where it cannot be, and then it is stored with a later one. */
  count(refused: Refused): Promise<void>
  /** Stored with the next one that is. */
  note(refused: Refused): void
  /** Stores what was noted. */
  flush(): Promise<void>
}

/** What one process keeps apart while it waits to be stored. */
const maxPending = 50
/** An address is an IPv6 network at most; what a proxy says may be anything. */
const maxAddressLength = 64

/**
 * Counts refused deliveries, those of one process with one statement at a time: what comes while that runs is stored by the next one,
 * however much it is. Nothing but the count, the time and the address is kept.
 */
export const refusedCounter = ({ pool, clock }: { pool: Ports['pool']; clock: Clock }): RefusedCounter => {
  let pending = new Map<string, RefusedRow>()
  let storing: Promise<void> | undefined
  let next: Promise<void> | undefined

  const add = (row: RefusedRow) => {
    const keyOf = (address: string) => JSON.stringify([row.hour, row.endpoint, row.reason, address])
    const isKeptApart = pending.has(keyOf(row.address)) || pending.size < maxPending
    const address = isKeptApart ? row.address : ''
    const { count, lastAt } = pending.get(keyOf(address)) ?? { count: 0, lastAt: row.lastAt }
    const latest = lastAt > row.lastAt ? lastAt : row.lastAt
    pending.set(keyOf(address), { ...row, address, count: count + row.count, lastAt: latest })
  }

  const note = ({ endpoint, reason, address }: Refused) => {
    const at = clock.now()
    add({ hour: hourOf(at), endpoint, reason, address: address.slice(0, maxAddressLength), count: 1, lastAt: at })
  }

  const storeAll = async () => {
    const taken = pending
    if (taken.size === 0) return
    pending = new Map()
    try {
      await addRefused(pool, [...taken.values()])
    } catch (error) {
      for (const row of taken.values()) add(row)
      throw error
    }
  }

  const flush = () => {
    const storeNext = async () => {
      await Promise.allSettled([storing])
      next = undefined
      storing = storeAll()
      await storing
    }
    next ??= storeNext()
    return next
  }

  return {
    note,
    flush,
    count(refused) {
      note(refused)
      return flush()
    },
  }
}
