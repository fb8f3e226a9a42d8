import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import { type Clock, later } from '@prosa/kernel/clock'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import type { Budgets } from '@prosa/product/budgets'
import type { Pool } from 'pg'
import type { ConnectionState } from '../../domain/connection.ts'
import * as table from './queries.ts'

export interface ConnectionQuota {
  /** `limit` is the plan's, null: unlimited. Throws `connection_limit_reached`, `too_many_connections` and `too_many_linking`. */
  reserve(tenant: string, connectionId: string, limit?: number | null): Promise<void>
  release(connectionId: string): Promise<void>
  settle(connectionId: string, outcome: { state: ConnectionState; position: string | null }): Promise<void>
  save(slot: table.Slot): Promise<void>
  forget(connectionId: string): Promise<void>
}

/** A process may die before it settles, or not know whether its append was stored. */
const reservationMs = 60_000

export const connectionQuota = (
  pool: Pool,
  clock: Clock,
  { connectionsPerTenant, linkingPerTenant }: Budgets,
): ConnectionQuota => {
  /** Serial for each tenant: a flood must not take all database connections. */
  const queue = keyedQueue()
  return {
    async reserve(tenant, connectionId, limit = null) {
      const isPlans = limit !== null && limit <= connectionsPerTenant
      const full = await queue.run(tenant, () => {
        const now = clock.now()
        const reservation = { connectionId, tenant, now, until: later(now, reservationMs) }
        return table.reserveSlot(pool, reservation, {
          connections: isPlans ? limit : connectionsPerTenant,
          linking: linkingPerTenant,
        })
      })
      if (!full) return
      if (full.full === 'connections')
        throw isPlans
          ? new Refused('connection_limit_reached', undefined, undefined, limit)
          : refuse('too_many_connections')
      const seconds = Math.ceil((full.freeAt.getTime() - Date.parse(clock.now())) / 1000)
      throw new Refused('too_many_linking', undefined, Math.max(1, seconds))
    },
    release: (connectionId) => table.endReservation(pool, connectionId),
    async settle(connectionId, { state: { status, linkingUntil }, position }) {
      if (status === 'removed') return table.deleteSlot(pool, connectionId)
      if (position !== null) await table.updateSlot(pool, { connectionId, linkingUntil, position })
      await table.endReservation(pool, connectionId)
    },
    save: (slot) => table.saveSlot(pool, slot),
    forget: (connectionId) => table.deleteSlot(pool, connectionId),
  }
}
