import type { z } from 'zod'
import { automationEvents } from './automation.ts'
import { billingEvents } from './billing.ts'
import {
  chatEvents,
  contactEvents,
  contactFieldEvents,
  contactKeyEvents,
  labelEvents,
  openingHoursEvents,
  quickReplyEvents,
} from './contacts.ts'
import { identityEvents } from './identity.ts'
import {
  apiKeyEvents,
  dataExportEvents,
  operationsEvents,
  readModelRebuildEvents,
  streamExportEvents,
  tenantReadingEvents,
} from './operations.ts'
import { connectionEvents, lineEvents, mediaEvents } from './sessions.ts'
import { webhookEvents } from './webhooks.ts'

/** Stored events by type, unique across services. Stored names never change. */
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
  ...contactFieldEvents,
  ...automationEvents,
  ...operationsEvents,
  ...tenantReadingEvents,
  ...dataExportEvents,
  ...readModelRebuildEvents,
  ...apiKeyEvents,
  ...streamExportEvents,
  ...webhookEvents,
}

export type EventSchemas = Record<string, z.ZodType>

export type EventOf<S extends EventSchemas> = { [T in keyof S & string]: { type: T; data: z.infer<S[T]> } }[keyof S &
  string]

export type AnyEvent = EventOf<typeof allEvents>
export type EventType = AnyEvent['type']
