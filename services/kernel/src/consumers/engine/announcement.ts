import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'

export interface Checkpoint {
  name: string
  version: number
  position: Position
}

/** Tenants whose rows changed; null is a row of no tenant, which any reply may show. */
export type Changed = readonly (string | null)[] | 'all'

export interface ParkingChange {
  tenant: string
  isParked: boolean
}

const announcement = z.object({
  name: z.string(),
  version: z.number(),
  /** Only in the last notification of a transaction. */
  position: z
    .string()
    .transform((text) => text as Position)
    .optional(),
  /** Unique per transaction. */
  stamp: z.string(),
  changed: z.union([z.array(z.string()), z.literal('all')]),
  parking: z.object({ tenant: z.string(), isParked: z.boolean() }).optional(),
})

export type Announcement = z.infer<typeof announcement>

/** NOTIFY payloads stay under 8000 bytes; other fields take less than 1000. */
const maxTenantsBytes = 6500
/** Beyond about 1300 tenants, 'all' is cheaper. */
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

/** NOTIFY payloads of one transaction, in order. */
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

/** Throws on any other payload. */
export const readAnnouncement = (payload: string): Announcement => announcement.parse(JSON.parse(payload))
