import type { Pool } from 'pg'
import type { ParkingChange } from '../../engine/announcement.ts'

const prefix = 'projection '

/** Shares the tables of reactors' parked work. */
export const projectionWorker = (readModel: string): string => prefix + readModel

interface ParkedTenant {
  readModel: string
  tenant: string
}

export const loadParkedTenants = async (db: Pool): Promise<ParkedTenant[]> => {
  const { rows } = await db.query<{ worker: string; tenant: string }>(
    'select worker, tenant from parked_work where tenant is not null',
  )
  return rows.map(({ worker, tenant }) => ({ readModel: worker.slice(prefix.length), tenant }))
}

/** Parked tenants by read model, as known to this process. */
export interface ParkedTenants {
  change(readModel: string, change: ParkingChange): void
  replace(all: readonly ParkedTenant[]): void
  changes(): number
  isParked(readModels: readonly string[], tenant: string): boolean
  onResumed(listener: (tenant: string) => void): void
}

export const parkedTenants = (): ParkedTenants => {
  let parked = new Map<string, Set<string>>()
  let changes = 0
  const listeners = new Set<(tenant: string) => void>()

  const resumed = (tenant: string) => {
    for (const listener of listeners) listener(tenant)
  }
  const add = (to: Map<string, Set<string>>, readModel: string, tenant: string) =>
    to.set(readModel, (to.get(readModel) ?? new Set()).add(tenant))

  return {
    change(readModel, { tenant, isParked }) {
      changes++
      if (isParked) add(parked, readModel, tenant)
      else if (parked.get(readModel)?.delete(tenant)) resumed(tenant)
    },
    replace(all) {
      const before = parked
      parked = new Map()
      for (const { readModel, tenant } of all) add(parked, readModel, tenant)
      for (const [readModel, tenants] of before)
        for (const tenant of tenants) if (!parked.get(readModel)?.has(tenant)) resumed(tenant)
    },
    changes: () => changes,
    isParked: (readModels, tenant) => readModels.some((name) => parked.get(name)?.has(tenant)),
    onResumed: (listener) => void listeners.add(listener),
  }
}
