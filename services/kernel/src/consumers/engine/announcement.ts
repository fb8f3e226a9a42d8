import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'

/** How far a consumer of this name and version has got. */
export interface Checkpoint {
  name: string
  version: number
  position: Position
}

/** The tenants whose rows of a read model were changed; a null is a row of nobody's, which anybody's reply may show. */
export type Changed = readonly (string | null)[] | 'all'

/** A tenant was parked in a read model, or is served again: see `parked-tenants.ts`. */
export interface ParkingChange {
  tenant: string
  isParked: boolean
}

const announcement = z.object({
  name: z.string(),
  version: z.number(),
  /** Only with the last announcement of a transaction: all its parts have been received by then. */
  position: z
    .string()
    .transform((text) => text as Position)
    .optional(),
  /** Never the same for two transactions. */
  stamp: z.string(),
  changed: z.union([z.array(z.string()), z.literal('all')]),
  /** With the last announcement of a transaction, as the position. */
  parking: z.object({ tenant: z.string(), isParked: z.boolean() }).optional(),
})

export type Announcement = z.infer<typeof announcement>

/** PostgreSQL refuses payloads of 8000 bytes and more; what surrounds the tenants stays under 1000. */
const maxTenantsBytes = 6500
/** Beyond about 1300 tenants at once, naming each of them costs more than naming all. */
const maxChunks = 8

const chunked = (tenants: Iterable<string>): string[][] => {
  const chunks: string[][] = []
  let bytes = maxTenantsBytes
  for (const tenant of tenants) {
    const own = Buffer.byteLength(JSON.stringify(tenant)) + 1
    if (bytes + own > maxTenantsBytes) {
      chunks.push([])
      bytes = 0
    }
    chunks.at(-1)?.push(tenant)
    bytes += own
  }
  return chunks
}

const tenantChunks = (changed: Changed): (string[] | 'all')[] => {
  if (changed === 'all') return ['all']
  const tenants = new Set<string>()
  for (const tenant of changed) {
    if (tenant === null) return ['all']
    tenants.add(tenant)
  }
  const chunks = chunked(tenants)
  if (chunks.length > maxChunks) return ['all']
  return chunks.length === 0 ? [[]] : chunks
}

/** What one transaction notifies, in this order, on `checkpointChannel`. */
export const announcements = (
  { name, version, position }: Checkpoint,
  changed: Changed,
  stamp: string,
  parking?: ParkingChange,
): string[] => {
  const chunks = tenantChunks(changed)
  return chunks.map((tenants, index) => {
    const isLast = index === chunks.length - 1
    const payload: Announcement = { name, version, stamp, changed: tenants, ...(isLast && { position, parking }) }
    return JSON.stringify(payload)
  })
}

/** Throws on anything else than a payload made by `announcements`. */
export const readAnnouncement = (payload: string): Announcement => announcement.parse(JSON.parse(payload))
