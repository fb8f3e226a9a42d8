import type { z } from 'zod'
import { billingEvents } from './billing.ts'
import { chatEvents, contactEvents, contactKeyEvents, quickReplyEvents } from './contacts.ts'
import { identityEvents } from './identity.ts'
import { operationsEvents } from './operations.ts'
import { connectionEvents, lineEvents, mediaEvents } from './sessions.ts'

/** Every event that Prosa stores, by type. Names are unique across services, so a type alone tells the shape. */
export const allEvents = {
  ...identityEvents,
  ...billingEvents,
  ...connectionEvents,
  ...lineEvents,
  ...mediaEvents,
  ...contactEvents,
  ...contactKeyEvents,
  ...chatEvents,
  ...quickReplyEvents,
  ...operationsEvents,
}

export type EventSchemas = Record<string, z.ZodType>

/** The union of events that a record of schemas describes: `{ type, data }`. */
export type EventOf<S extends EventSchemas> = { [T in keyof S & string]: { type: T; data: z.infer<S[T]> } }[keyof S &
  string]

export type AnyEvent = EventOf<typeof allEvents>
export type EventType = AnyEvent['type']
