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
  /** Throws if not stored; the next call stores it. */
  count(refused: Refused): Promise<void>
  note(refused: Refused): void
  flush(): Promise<void>
}

/** Addresses counted separately per process. */
const maxPending = 50
/** Bounds untrusted text from a proxy. */
const maxAddressLength = 64

/** One statement at a time per process; later arrivals share the next. */
export const refusedCounter = ({ pool, clock }: { pool: Ports['pool']; clock: Clock }): RefusedCounter => {
  let pending = new Map<string, RefusedRow>()
  let storing: Promise<void> | undefined
  let next: Promise<void> | undefined

  const add = (row: RefusedRow) => {
    const keyOf = (address: string) => JSON.stringify([row.hour, row.endpoint, row.reason, address])
    const isSeparate = pending.has(keyOf(row.address)) || pending.size < maxPending
    const address = isSeparate ? row.address : ''
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
