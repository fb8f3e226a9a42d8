import { z } from 'zod'
import { instant } from '../values/instant.ts'

export const actor = z.object({
  kind: z.enum(['user', 'admin', 'system', 'webhook', 'whatsapp', 'flow']),
  id: z.string(),
})

/** What is stored with every event beside its data. The event's own id stands in the envelope. */
export const eventMetadata = z.object({
  /** The event or command that led to this one. */
  causationId: z.string(),
  /** Shared by everything that one request or one message from outside set off. */
  correlationId: z.string(),
  actor,
  /** The subscriber (tenant) to whom the event belongs; null for what belongs to nobody. */
  owner: z.string().nullable(),
  /** Why, where a person gave a reason. Whoever wrote it may have named people: it is stored locked. */
  reason: z.string().optional(),
  schemaVersion: z.number().int().positive(),
  /** By our clock, when the fact was recorded. */
  recordedAt: instant,
})

export type Actor = z.infer<typeof actor>
export type EventMetadata = z.infer<typeof eventMetadata>
