import { normalizeIP } from '@fastify/rate-limit'
import type { Refusal } from '@prosa/contracts/refusals'
import type { Pool } from 'pg'
import { type Clock, later } from '../../clock.ts'
import type { Logger } from '../log.ts'
import { addRefusals, deleteRefusalsBefore, deleteRefusalsOf, type RefusedRow } from './queries.ts'

export interface RefusedRequest {
  refusal: Refusal
  account: string | undefined
  /** 'POST /api/auth/login'. */
  route: string
  ip: string
}

export interface RefusedRequests {
  /** In memory: a flood causes one statement every few seconds. */
  note(refused: RefusedRequest): void
  /** Stores what was noted; failed writes wait for the next. */
  flush(): Promise<void>
  /** Of an erased account, also what waits. */
  forget(account: string): Promise<void>
  /** Flushes until `close`, which does so once more. */
  start(): void
  close(): Promise<void>
}

const flushMs = 5000
const dayMs = 24 * 3600 * 1000
const retentionDays = 30
/** Counted apart, in one process between two statements. */
const maxPending = 200
/** As in the security log, so that both can be compared. */
const addressLength = 20

const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' })

interface Deps {
  pool: Pool
  clock: Clock
  log: Logger
  box: { fingerprint(value: string, purpose: string): string }
}

/** Refused requests by day, account, route, reason and address: no bodies, and never more rows than the limits. */
export const refusedRequests = ({ pool, clock, log, box }: Deps): RefusedRequests => {
  let pending = new Map<string, RefusedRow>()
  let storing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let hasFailed = false

  const add = (row: RefusedRow) => {
    const keyOf = ({ day, account, route, refusal, address }: RefusedRow) =>
      JSON.stringify([day, account, route, refusal, address])
    const isApart = pending.has(keyOf(row)) || pending.size < maxPending
    const counted = isApart ? row : { ...row, account: '', address: '' }
    const known = pending.get(keyOf(counted))
    pending.set(keyOf(counted), {
      ...counted,
      count: (known?.count ?? 0) + row.count,
      firstAt: known && known.firstAt < row.firstAt ? known.firstAt : row.firstAt,
      lastAt: known && known.lastAt > row.lastAt ? known.lastAt : row.lastAt,
    })
  }

  const store = async () => {
    const taken = pending
    if (taken.size === 0) return
    pending = new Map()
    try {
      await addRefusals(pool, [...taken.values()])
      await deleteRefusalsBefore(pool, dayOf.format(Date.parse(later(clock.now(), -retentionDays * dayMs))))
      hasFailed = false
    } catch (error) {
      for (const row of taken.values()) add(row)
      // One line for an outage.
      if (!hasFailed) log.warn({ err: error }, 'refused requests could not be counted')
      hasFailed = true
    }
  }

  const flush = () => {
    storing = storing.then(store)
    return storing
  }

  return {
    flush,
    note({ refusal, account = '', route, ip }) {
      const at = clock.now()
      const address = box.fingerprint(normalizeIP(ip), 'security log').slice(0, addressLength).toUpperCase()
      const day = dayOf.format(Date.parse(at))
      add({ day, account, route, refusal, address, count: 1, firstAt: at, lastAt: at })
    },
    async forget(account) {
      for (const [key, row] of pending) if (row.account === account) pending.delete(key)
      await storing
      await deleteRefusalsOf(pool, account)
    },
    start() {
      timer ??= setInterval(flush, flushMs).unref()
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
