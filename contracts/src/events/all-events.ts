import type { z } from 'zod'
import { automationEvents } from './automation.ts'
import { billingEvents } from './billing.ts'
import {
  chatEvents,
  contactEvents,
  contactKeyEvents,
  labelEvents,
  openingHoursEvents,
  quickReplyEvents,
} from './contacts.ts'
import { identityEvents } from './identity.ts'
import { dataExportEvents, operationsEvents, readModelRebuildEvents, tenantReadingEvents } from './operations.ts'
import { connectionEvents, lineEvents, mediaEvents } from './sessions.ts'

/**
 * Every event that Prosa stores, by type. Names are unique across services, so a type alone determines the shape. Types of
 * events and commands and names of streams keep their words, also where our code has other words by now: they are stored, or
 * hashed into ids that are.
 */
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
  ...openingHoursEvents,
  ...labelEvents,
  ...automationEvents,
  ...operationsEvents,
  ...tenantReadingEvents,
  ...dataExportEvents,
  ...readModelRebuildEvents,
}

export type EventSchemas = Record<string, z.ZodType>

/** The union of events that a record of schemas describes: `{ type, data }`. */
export type EventOf<S extends EventSchemas> = { [T in keyof S & string]: { type: T; data: z.infer<S[T]> } }[keyof S &
  string]

export type AnyEvent = EventOf<typeof allEvents>
export type EventType = AnyEvent['type']
