import { randomUUID } from 'node:crypto'
import type { Announcement } from '../engine/announcement.ts'

/** Above this all tenants' rows count as changed. */
const maxTenants = 50_000

interface Versions {
  /** Version of tenants without a notification since. */
  base: string
  tenants: Map<string, string>
}

export interface TenantVersions {
  /** Notifications before this may be missed. */
  begin(): void
  lose(): void
  receive(announced: Pick<Announcement, 'name' | 'changed' | 'stamp'>): void
  missed(readModel: string): void
  /** Undefined while notifications are missed. */
  version(readModel: string, tenant: string): string | undefined
}

/** Never repeat. They are notification stamps, so processes agree after the first change. */
export const tenantVersions = (): TenantVersions => {
  const readModels = new Map<string, Versions>()
  let isListening = false

  const versionsOf = (readModel: string): Versions => {
    const known = readModels.get(readModel)
    if (known) return known
    const made = { base: randomUUID(), tenants: new Map<string, string>() }
    readModels.set(readModel, made)
    return made
  }
  const makeAllNew = (versions: Versions, base: string) => {
    versions.base = base
    versions.tenants.clear()
  }

  return {
    begin() {
      readModels.clear()
      isListening = true
    },
    lose() {
      isListening = false
    },
    receive({ name, changed, stamp }) {
      const versions = versionsOf(name)
      if (changed === 'all') return makeAllNew(versions, stamp)
      for (const tenant of changed) versions.tenants.set(tenant, stamp)
      if (versions.tenants.size > maxTenants) makeAllNew(versions, stamp)
    },
    missed: (readModel) => makeAllNew(versionsOf(readModel), randomUUID()),
    version(readModel, tenant) {
      if (!isListening) return undefined
      const { base, tenants } = versionsOf(readModel)
      return tenants.get(tenant) ?? base
    },
  }
}
