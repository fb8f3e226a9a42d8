import { randomUUID } from 'node:crypto'
import type { Announcement } from '../engine/announcement.ts'

/** More tenants than this are not distinguished: then the views of all count as changed. */
const maxTenants = 50_000

interface Versions {
  /** Of every tenant of which nothing was announced since. */
  base: string
  tenants: Map<string, string>
}

export interface TenantVersions {
  /** From here on announcements are received; whatever was announced before may have been missed. */
  begin(): void
  /** From here on announcements are missed. */
  lose(): void
  receive(announced: Pick<Announcement, 'name' | 'changed' | 'stamp'>): void
  /** Something of this read model changed that was not announced here. */
  missed(readModel: string): void
  /** Undefined while announcements are missed. */
  version(readModel: string, tenant: string): string | undefined
}

/**
 * A version of each tenant's rows in each read model, which never is the same again after those rows changed. Versions are
 * the stamps of announcements, so that processes agree on them once a tenant has changed; before that each has its own.
 */
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
