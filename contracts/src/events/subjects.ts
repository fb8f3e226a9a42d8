import type { z } from 'zod'
import { parseStream } from '../streams.ts'
import { type Personal, personalFields } from '../values/personal.ts'
import { canonicalPhone } from '../values/phone.ts'
import type { allEvents, EventOf, EventType } from './all-events.ts'
import { flowEvents, flowFolderEvents, flowRunEvents, flowSecretEvents } from './automation.ts'
import {
  chatEvents,
  contactEvents,
  contactFieldEvents,
  labelEvents,
  openingHoursEvents,
  quickReplyEvents,
} from './contacts.ts'
import { companyEvents, supportRequestEvents, userEvents } from './identity.ts'
import { apiKeyEvents } from './operations.ts'
import { connectionEvents, lineEvents } from './sessions.ts'
import { webhookEvents } from './webhooks.ts'

/** Subject of personal data: our ids and keyed hashes only. */
export type Subject =
  | `user:${string}`
  | `contact:${string}`
  | `address:${string}:${string}`
  | `delivery:${string}`
  | `order:${string}`
  | `refusals:${string}`
  | `pseudonyms:${string}`
  | `webhooks:${string}`
  | `flowSecrets:${string}`

/** Keyed hash with the installation's key. */
export type Fingerprint = (value: string, purpose: string) => string

type HasPersonal<Shape> = true extends { [F in keyof Shape]: Shape[F] extends Personal ? true : false }[keyof Shape]
  ? true
  : false

export type PersonalEventType = {
  [T in EventType]: HasPersonal<(typeof allEvents)[T]['shape']> extends true ? T : never
}[EventType]

interface About<T extends EventType> {
  stream: string
  /** The tenant. */
  tenant: string | null
  data: Extract<EventOf<typeof allEvents>, { type: T }>['data']
}

export const userSubject = (userId: string): Subject => `user:${userId}`
export const contactSubject = (contactId: string): Subject => `contact:${contactId}`

/** Raw bytes of a delivery; the key is destroyed after retention. */
export const deliverySubject = (deliveryId: string): Subject => `delivery:${deliveryId}`
/** A buyer may have no account, and the charge outlives erasure. */
export const orderSubject = (orderId: string): Subject => `order:${orderId}`

/** What a tenant's published ids are made with. */
export const pseudonymSubject = (tenant: string): Subject => `pseudonyms:${tenant}`

/** What the secrets of a tenant's webhooks derive from. */
export const webhookSubject = (tenant: string): Subject => `webhooks:${tenant}`

/** Encrypts the secrets that requests of a tenant's flows use. */
export const flowSecretSubject = (tenant: string): Subject => `flowSecrets:${tenant}`

/** Addresses of one report. */
export const refusalsSubject = (reportId: string): Subject => `refusals:${reportId}`

/** Canonical: a Brazilian number may lack the ninth digit. */
const plainAddress = (jid: string): string => {
  const phone = /^(\d+)@s\.whatsapp\.net$/.exec(jid)?.[1]
  return phone ? `${canonicalPhone(phone)}@s.whatsapp.net` : jid
}

/** A WhatsApp address (`…@lid`, `…@s.whatsapp.net`) before the contact is known. */
export const addressSubject = (tenant: string, jid: string, fingerprint: Fingerprint): Subject =>
  `address:${tenant}:${fingerprint(`${tenant} ${plainAddress(jid)}`, 'personal data of an address')}`

/** Prefix of a tenant's address subjects. */
export const addressSubjectsOf = (tenant: string): string => `address:${tenant}:`

const requireTenant = (tenant: string | null): string => {
  if (!tenant) throw new Error('an event with personal data belongs to a tenant')
  return tenant
}

const user = ({ stream }: { stream: string }) => userSubject(parseStream(stream).id)
const tenant = ({ tenant }: { tenant: string | null }) => userSubject(requireTenant(tenant))
/** `contact-<id>`, `chat-<id>` and `flowRun-<id>` have the contact's id. */
const contact = ({ stream }: { stream: string }) => contactSubject(parseStream(stream).id)
const address = ({ tenant, data }: { tenant: string | null; data: { chatJid: string } }, fingerprint: Fingerprint) =>
  addressSubject(requireTenant(tenant), data.chatJid, fingerprint)

/** `subject` for each event of these that has personal fields. */
const allOf = <S extends Record<string, z.ZodObject>, F>(schemas: S, subject: F) =>
  Object.fromEntries(
    Object.entries(schemas).flatMap(([type, schema]) => (personalFields(schema).size > 0 ? [[type, subject]] : [])),
  ) as { [T in keyof S & PersonalEventType]: F }

/** Encrypts each event's personal fields with this subject's key. A missing rule does not compile. */
export const subjectOf: { [T in PersonalEventType]: (event: About<T>, fingerprint: Fingerprint) => Subject } = {
  ...allOf(userEvents, user),
  ...allOf(companyEvents, user),
  ...allOf(supportRequestEvents, tenant),
  ...allOf(connectionEvents, tenant),
  ...allOf(lineEvents, address),
  ...allOf(contactEvents, contact),
  ...allOf(chatEvents, contact),
  ...allOf(quickReplyEvents, tenant),
  ...allOf(openingHoursEvents, tenant),
  ...allOf(labelEvents, tenant),
  ...allOf(contactFieldEvents, tenant),
  ...allOf(flowFolderEvents, tenant),
  ...allOf(flowEvents, tenant),
  ...allOf(flowSecretEvents, tenant),
  ...allOf(flowRunEvents, contact),
  ...allOf(apiKeyEvents, tenant),
  ...allOf(webhookEvents, tenant),
  DeliveryReceived: ({ stream }) => deliverySubject(parseStream(stream).id),
  DeliveriesRefused: ({ data }) => refusalsSubject(data.reportId),
  OrderReported: ({ stream }) => orderSubject(parseStream(stream).id),
}
