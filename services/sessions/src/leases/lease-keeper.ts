import { randomUUID } from 'node:crypto'
import { setInterval } from 'node:timers/promises'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Pool } from 'pg'
import { isDead, thisMachine, thisProcess } from './living-process.ts'
import * as table from './queries.ts'

/** Another process may hold the lease: nothing may be done for the connection. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

export interface Lease {
  readonly connectionId: string
  /** Grows with every holder; the database refuses writes with an older one. */
  readonly token: string
  readonly signal: AbortSignal
  /** Throws `LeaseLost`. Uses the monotonic clock, so that a frozen process notices before it handles messages. */
  require(): void
  /** Also checks in the database. Throws `LeaseLost` or the database's error. */
  confirm(): Promise<void>
}

export interface LeaseKeeper {
  announce(connectionIds: readonly string[]): Promise<void>
  /** No more than this process's share. Leases of dead processes of this machine are free at once. */
  takeFree(limit: number): Promise<Lease[]>
  /** Leases beyond the share of this process, which others lack. */
  excess(): Promise<number>
  release(leases: readonly Lease[]): Promise<void>
  finish(lease: Lease): Promise<void>
  /** Others may take all: this process takes none any more. */
  leave(): Promise<void>
  /** Until the signal aborts; leases not renewed in time are lost. */
  run(signal: AbortSignal): Promise<void>
}

export interface LeaseKeeperDeps {
  pool: Pool
  log: Logger
  /** Renewed five times in that time. */
  leaseMs: number
  /** Must advance while the process is frozen. */
  monotonicNow?: () => number
}

const renewalsPerLease = 5

interface Held {
  row: table.LeaseRow
  end: AbortController
  /** Counted from before the query, so that it ends here before it ends in the database. */
  deadline: number
}

/** The leases of this process, which end here before they end in the database. */
const heldLeases = (
  { pool, log, leaseMs }: Pick<LeaseKeeperDeps, 'pool' | 'log' | 'leaseMs'>,
  monotonicNow: () => number,
) => {
  const held = new Map<Lease, Held>()

  const drop = (lease: Lease) => {
    const found = held.get(lease)
    held.delete(lease)
    found?.end.abort(new LeaseLost('the connection belongs to another process'))
    return found
  }

  const loseOverdue = () => {
    for (const [lease, { deadline }] of held) {
      if (deadline > monotonicNow()) continue
      log.warn({ connectionId: lease.connectionId }, 'lease lost: not renewed in time')
      drop(lease)
    }
  }

  const renew = async (leases: readonly Lease[]) => {
    const asked = monotonicNow()
    const rows = leases.flatMap((lease) => held.get(lease)?.row ?? [])
    if (rows.length === 0) return
    const renewed = await table.renewLeases(pool, rows, leaseMs)
    for (const lease of leases) {
      const mine = held.get(lease)
      if (!mine) continue
      // Answers may arrive out of order.
      if (renewed.has(lease.token)) mine.deadline = Math.max(mine.deadline, asked + leaseMs)
      else {
        log.warn({ connectionId: lease.connectionId }, 'lease lost: another process has it')
        drop(lease)
      }
    }
  }

  const hold = (row: table.LeaseRow, deadline: number): Lease => {
    const end = new AbortController()
    const requireHeld = () => {
      loseOverdue()
      end.signal.throwIfAborted()
    }
    const lease: Lease = {
      ...row,
      signal: end.signal,
      require: requireHeld,
      async confirm() {
        requireHeld()
        await renew([lease])
        requireHeld()
      },
    }
    held.set(lease, { row, end, deadline })
    return lease
  }

  return { drop, loseOverdue, renew, hold, all: () => [...held.keys()] }
}

export const leaseKeeper = (deps: LeaseKeeperDeps): LeaseKeeper => {
  const { pool, log, leaseMs, monotonicNow = () => performance.now() } = deps
  const id = randomUUID()
  const { drop, loseOverdue, renew, hold, all } = heldLeases(deps, monotonicNow)
  const renewAll = async () => {
    // Leases first: only they are urgent. A new process is counted by others from its first renewal on.
    await renew(all())
    if (!hasLeft) await table.noteProcess(pool, id, leaseMs)
  }
  let hasLeft = false
  return {
    announce: (connectionIds) => table.insertLeases(pool, connectionIds),
    async takeFree(limit) {
      for (const name of await table.holdersOn(pool, await thisMachine()))
        if (await isDead(name)) await table.endLeasesOf(pool, name)
      const share = (await table.fairShare(pool, id)) - all().length
      if (share <= 0) return []
      const asked = monotonicNow()
      const rows = await table.takeFreeLeases(
        pool,
        { id, process: await thisProcess() },
        leaseMs,
        Math.min(limit, share),
      )
      return rows.map((row) => hold(row, asked + leaseMs))
    },
    async excess() {
      return Math.max(0, all().length - (await table.fairShare(pool, id)))
    },
    leave() {
      hasLeft = true
      return table.forgetProcess(pool, id)
    },
    async release(leases) {
      const rows = leases.flatMap((lease) => drop(lease)?.row ?? [])
      if (rows.length > 0) await table.releaseLeases(pool, rows)
    },
    async finish(lease) {
      const found = drop(lease)
      if (found) await table.deleteLease(pool, found.row)
    },
    async run(signal) {
      let isRenewing = false
      try {
        for await (const _ of setInterval(leaseMs / renewalsPerLease, undefined, { signal })) {
          loseOverdue()
          // An unresponsive database must not hide that leases expired.
          if (isRenewing) continue
          isRenewing = true
          renewAll()
            .catch((error) => log.warn({ err: error }, 'leases not renewed, will retry'))
            .finally(() => {
              isRenewing = false
            })
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}
