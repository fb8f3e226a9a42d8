import { z } from 'zod'
import { instant } from '../values/instant.ts'

export const actor = z.object({
  kind: z.enum(['user', 'admin', 'system', 'webhook', 'whatsapp', 'flow']),
  id: z.string(),
  /** The user's program acted, with this key. Absent before 2026-11-27. */
  keyId: z.string().optional(),
})

export const eventMetadata = z.object({
  /** The causing event or command. */
  causationId: z.string(),
  /** Shared by all effects of one request or external message. */
  correlationId: z.string(),
  actor,
  /** Tenant, if any. */
  tenant: z.string().nullable(),
  /** May name people, so stored encrypted. */
  reason: z.string().optional(),
  schemaVersion: z.number().int().positive(),
  /** By our clock. */
  recordedAt: instant,
})

export type Actor = z.infer<typeof actor>
export type EventMetadata = z.infer<typeof eventMetadata>
