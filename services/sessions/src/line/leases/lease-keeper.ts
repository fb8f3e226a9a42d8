import { randomUUID } from 'node:crypto'
import { setInterval } from 'node:timers/promises'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Pool } from 'pg'
import { isDead, thisMachine, thisProcess } from './living-process.ts'
import * as table from './queries.ts'

/** Another process may look after the connection by now: nothing may be done in its name any more. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** This process, and no other, looks after a connection. */
export interface Lease {
  readonly connectionId: string
  /** Grows with every holder; the database refuses what comes with an older one. */
  readonly token: string
  /** Aborts when the lease is lost or given back. */
  readonly signal: AbortSignal
  /**
   * Throws `LeaseLost` when it is not this process's any more. Goes by the monotonic clock, so that a process that was frozen
   * knows before any message reaches it; the database's own answer is in every statement that counts.
   */
  require(): void
  /** As `require`, and asks the database too. Throws `LeaseLost`, or what keeps the database from answering. */
  confirm(): Promise<void>
}

export interface LeaseKeeper {
  /** Makes known that somebody has to look after these connections. */
  announce(connectionIds: readonly string[]): Promise<void>
  /** Takes at most so many connections that nobody looks after; those of a process of this machine that is dead count at once. */
  takeFree(atMost: number): Promise<Lease[]>
  /** Gives connections to whoever takes them first. */
  release(leases: readonly Lease[]): Promise<void>
  /** Nobody has to look after the connection any more. */
  finish(lease: Lease): Promise<void>
  /** Renews what is held until the signal aborts; whatever could not be renewed in time is lost. */
  run(signal: AbortSignal): Promise<void>
}

export interface LeaseKeeperDeps {
  pool: Pool
  log: Logger
  /** How long a lease lasts, in milliseconds; it is renewed five times in that time. */
  leaseMs: number
  /** Milliseconds of a clock that never goes back, and goes on while the process is frozen. */
  monotonicNow?: () => number
}

const renewalsPerLease = 5

interface Held {
  row: table.LeaseRow
  end: AbortController
  /** Counted from before the database was asked, so it is over here before it is over there. */
  deadline: number
}

export const leaseKeeper = ({
  pool,
  log,
  leaseMs,
  monotonicNow = () => performance.now(),
}: LeaseKeeperDeps): LeaseKeeper => {
  const id = randomUUID()
  const held = new Map<Lease, Held>()

  const drop = (lease: Lease) => {
    const found = held.get(lease)
    held.delete(lease)
    found?.end.abort(new LeaseLost(`the connection is not this process's any more`))
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
      // The answer to an earlier question may come later.
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

  return {
    announce: (connectionIds) => table.insertLeases(pool, connectionIds),
    async takeFree(atMost) {
      for (const name of await table.holdersOn(pool, await thisMachine()))
        if (await isDead(name)) await table.endLeasesOf(pool, name)
      const asked = monotonicNow()
      const rows = await table.takeFreeLeases(pool, { id, process: await thisProcess() }, leaseMs, atMost)
      return rows.map((row) => hold(row, asked + leaseMs))
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
          // A database that does not answer must not keep anybody from noticing that time is over.
          if (isRenewing) continue
          isRenewing = true
          renew([...held.keys()])
            .catch((error) => log.warn({ err: error }, 'leases not renewed, will try again'))
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
