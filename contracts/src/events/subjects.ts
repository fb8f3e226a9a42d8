import { parseStream } from '../streams.ts'
import type { Personal } from '../values/personal.ts'
import { canonicalPhone } from '../values/phone.ts'
import type { allEvents, EventOf, EventType } from './all-events.ts'

/** Subject of personal data: our ids and keyed hashes only. */
export type Subject =
  | `user:${string}`
  | `contact:${string}`
  | `address:${string}:${string}`
  | `delivery:${string}`
  | `order:${string}`
  | `refusals:${string}`

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
  owner: string | null
  data: Extract<EventOf<typeof allEvents>, { type: T }>['data']
}

export const userSubject = (userId: string): Subject => `user:${userId}`
export const contactSubject = (contactId: string): Subject => `contact:${contactId}`

/** Raw bytes of a delivery; the key is destroyed after retention. */
export const deliverySubject = (deliveryId: string): Subject => `delivery:${deliveryId}`
/** A buyer may have no account, and the charge outlives erasure. */
export const orderSubject = (orderId: string): Subject => `order:${orderId}`

/** Addresses of one report. */
export const refusalsSubject = (reportId: string): Subject => `refusals:${reportId}`

/** Canonical: a Brazilian number may lack the ninth digit. */
const plainAddress = (jid: string): string => {
  const phone = /^(\d+)@s\.whatsapp\.net$/.exec(jid)?.[1]
  return phone ? `${canonicalPhone(phone)}@s.whatsapp.net` : jid
}

/** A WhatsApp address (`…@lid`, `…@s.whatsapp.net`) before the contact is known. */
export const addressSubject = (owner: string, jid: string, fingerprint: Fingerprint): Subject =>
  `address:${owner}:${fingerprint(`${owner} ${plainAddress(jid)}`, 'personal data of an address')}`

/** Prefix of a tenant's address subjects. */
export const addressSubjectsOf = (owner: string): string => `address:${owner}:`

const requireOwner = (owner: string | null): string => {
  if (!owner) throw new Error('an event with personal data belongs to a tenant')
  return owner
}

const user = ({ stream }: { stream: string }) => userSubject(parseStream(stream).id)
const tenant = ({ owner }: { owner: string | null }) => userSubject(requireOwner(owner))
/** `contact-<id>`, `chat-<id>` and `flowRun-<id>` have the contact's id. */
const contact = ({ stream }: { stream: string }) => contactSubject(parseStream(stream).id)
const address = ({ owner, data }: { owner: string | null; data: { chatJid: string } }, fingerprint: Fingerprint) =>
  addressSubject(requireOwner(owner), data.chatJid, fingerprint)

/** Encrypts each event's personal fields with this subject's key. A missing rule does not compile. */
export const subjectOf: { [T in PersonalEventType]: (event: About<T>, fingerprint: Fingerprint) => Subject } = {
  UserRegistered: user,
  UserRenamed: user,
  EmailChanged: user,
  CompanyDescribed: user,
  SupportRequested: tenant,
  ConnectionAdded: tenant,
  NumberLinked: tenant,
  MessageArrived: address,
  ContactAdded: contact,
  ContactIdentified: contact,
  ContactNamed: contact,
  ContactRenamed: contact,
  ContactNoteWritten: contact,
  MessageReceived: contact,
  MessageSentElsewhere: contact,
  MessageQueued: contact,
  MessageEdited: contact,
  EditQueued: contact,
  DeletionQueued: contact,
  MessageReacted: contact,
  ReactionQueued: contact,
  ReactionFailed: contact,
  PairingCodeIssued: tenant,
  EditArrived: address,
  DeletionArrived: address,
  ReactionArrived: address,
  QuickReplyAdded: tenant,
  QuickReplyChanged: tenant,
  OpeningHoursSet: tenant,
  OutOfHoursReplyWritten: tenant,
  LabelCreated: tenant,
  LabelRenamed: tenant,
  FlowFolderCreated: tenant,
  FlowFolderDescribed: tenant,
  FlowCreated: tenant,
  FlowRenamed: tenant,
  FlowDraftSaved: tenant,
  FlowPublished: tenant,
  FlowRunStarted: contact,
  FlowMessageRequested: contact,
  FlowAnswerReceived: contact,
  FlowInputKept: contact,
  FlowRunTakenOver: contact,
  DeliveryReceived: ({ stream }) => deliverySubject(parseStream(stream).id),
  DeliveriesRefused: ({ data }) => refusalsSubject(data.reportId),
  OrderReported: ({ stream }) => orderSubject(parseStream(stream).id),
}
