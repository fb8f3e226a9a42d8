import { streamName } from '@prosa/contracts/streams'
import type { Position } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'
import type { ContactHandlers } from '../handlers.ts'
import type { KnownHours } from '../opening-hours.ts'

/** As of the position or later. */
export type CachedOpeningHours = (tenant: string, asOf: Position) => Promise<KnownHours>

const maxBusinesses = 10_000

/** Read again only if the log may hold newer events. */
export const cachedOpeningHours = ({
  openingHours,
  store,
}: Pick<ContactHandlers, 'openingHours' | 'store'>): CachedOpeningHours => {
  const known = lruMap<string, { hours: KnownHours; asOf: Position }>(maxBusinesses)
  return async (tenant, asOf) => {
    const found = known.get(tenant)
    if (found && store.isUnchanged(streamName('openingHours', tenant), found.asOf)) return found.hours
    const hours = await openingHours.load(tenant, tenant)
    known.set(tenant, { hours, asOf })
    return hours
  }
}
