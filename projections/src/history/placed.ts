import type { EventType } from '@prosa/contracts/events/all-events'
import { automationEvents } from '@prosa/contracts/events/automation'
import { billingEvents } from '@prosa/contracts/events/billing'
import { contactEvents, labelEvents, openingHoursEvents, quickReplyEvents } from '@prosa/contracts/events/contacts'
import { identityEvents } from '@prosa/contracts/events/identity'
import {
  dataExportEvents,
  operationsEvents,
  readModelRebuildEvents,
  tenantReadingEvents,
} from '@prosa/contracts/events/operations'
import { connectionEvents } from '@prosa/contracts/events/sessions'
import type { HistoryGroup, HistoryRecordKind } from '@prosa/contracts/http/history'
import { type Category, parseStream } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'

/**
 * What has places in the timeline. Chats, lines, files and the keys of contacts have none: they are nearly all of the log, a
 * conversation shows them itself, and each place is a row to be written.
 */
export const placedEvents = {
  ...identityEvents,
  ...billingEvents,
  ...connectionEvents,
  ...contactEvents,
  ...quickReplyEvents,
  ...openingHoursEvents,
  ...labelEvents,
  ...automationEvents,
  ...operationsEvents,
  ...tenantReadingEvents,
  ...dataExportEvents,
  ...readModelRebuildEvents,
}

export type PlacedCategory = Exclude<Category, 'contactKey' | 'chat' | 'line' | 'media'>

interface About {
  kind: HistoryRecordKind
  group: HistoryGroup
  /** The id in the stream's name is an account's. */
  isAccount?: true
}

/** What the streams of each category are about; where a new category is missing, it does not compile. */
const about: Record<PlacedCategory, About> = {
  user: { kind: 'user', group: 'account', isAccount: true },
  emailClaim: { kind: 'email', group: 'account' },
  passwordReset: { kind: 'user', group: 'account', isAccount: true },
  company: { kind: 'user', group: 'account', isAccount: true },
  supportRequest: { kind: 'support', group: 'account' },
  subscription: { kind: 'user', group: 'access', isAccount: true },
  webhookDelivery: { kind: 'delivery', group: 'webhook' },
  refusedDeliveries: { kind: 'refusals', group: 'webhook' },
  order: { kind: 'order', group: 'purchase' },
  plan: { kind: 'plan', group: 'plan' },
  kiwifySubscription: { kind: 'purchase', group: 'purchase' },
  entitlement: { kind: 'entitlement', group: 'purchase' },
  contact: { kind: 'contact', group: 'conversation' },
  quickReply: { kind: 'user', group: 'conversation', isAccount: true },
  openingHours: { kind: 'user', group: 'conversation', isAccount: true },
  label: { kind: 'user', group: 'conversation', isAccount: true },
  flowFolder: { kind: 'folder', group: 'automation' },
  flow: { kind: 'flow', group: 'automation' },
  defaultFlow: { kind: 'user', group: 'automation', isAccount: true },
  flowRun: { kind: 'contact', group: 'automation' },
  connection: { kind: 'connection', group: 'connection' },
  parkedWork: { kind: 'work', group: 'work' },
  tenantReading: { kind: 'user', group: 'reading', isAccount: true },
  dataExport: { kind: 'user', group: 'account', isAccount: true },
  readModelRebuild: { kind: 'work', group: 'work' },
}

export const placedCategories = Object.keys(about) as PlacedCategory[]

const aboutStream = (stream: string) => {
  const { category, id } = parseStream(stream)
  // `tenantReading-<account>:<what>`, `dataExport-<account>:<export>`; no id of an account has a colon.
  const named = about[category as PlacedCategory]
  return { ...named, id: named.isAccount ? (id.split(':')[0] ?? id) : id }
}

/** `order:<id>`: under which an event is found. */
export const recordKey = (kind: HistoryRecordKind, id: string): string => `${kind}:${id}`

export const parseRecordKey = (key: string): { kind: HistoryRecordKind; id: string } => {
  const colon = key.indexOf(':')
  return { kind: key.slice(0, colon) as HistoryRecordKind, id: key.slice(colon + 1) }
}

/** What a stream is about; undefined of chats, lines and whatever else has no places. */
export const findRecord = (stream: string): { kind: HistoryRecordKind; id: string } | undefined =>
  Object.hasOwn(about, parseStream(stream).category) ? recordOf(stream) : undefined

/** Of whatever stream they are in. */
const groupsOfTypes: { [T in EventType]?: HistoryGroup } = { ErasedBuyerCharged: 'erasedCharge' }

export const groupOf = ({ stream, type }: Pick<Stored, 'stream' | 'type'>): HistoryGroup =>
  groupsOfTypes[type] ?? recordOf(stream).group

export const recordOf = (stream: string): { kind: HistoryRecordKind; id: string; group: HistoryGroup } => {
  const { kind, group, id } = aboutStream(stream)
  return { kind, group, id }
}

/**
 * Of a connection's life an account's timeline has what changed it; each QR code and each short cut of the line has its own only. So
 * has each saving of a flow's draft.
 */
const passing: readonly string[] = [
  'LinkingStarted',
  'LinkingDelayed',
  'LinkingExpired',
  'QrCodeIssued',
  'PairingCodeIssued',
  'LineOpened',
  'LineDropped',
  'FlowDraftSaved',
  'FlowDraftKept',
] satisfies (keyof typeof connectionEvents | keyof typeof automationEvents)[]

/** Stands for the account of what is in the timeline of every one: that somebody read a list of all of them. */
export const everyAccount = '*'

const isReading = ({ type }: Stored) => Object.hasOwn(tenantReadingEvents, type)

/** Whose personal data were read, where it is one account's. */
const readTenant = ({ data }: Stored): string | null => ('tenantId' in data ? data.tenantId : null)

const readRecord = ({ data }: Stored): string | null => ('what' in data ? data.record : null)

/** Under which an event is found: what was read, else what its stream is about. */
export const recordKeyOf = (event: Stored): string => {
  const { kind, id } = recordOf(event.stream)
  return isReading(event) ? (readRecord(event) ?? recordKey(kind, readTenant(event) ?? id)) : recordKey(kind, id)
}

/** In whose timeline an event is, as far as the event itself shows that; a contact's are in that of the contact only. */
export const accountOf = (event: Stored): string | null => {
  // What belongs to nobody yet is found under its record, once it belongs to somebody.
  if (isReading(event)) return readTenant(event) ?? (readRecord(event) === null ? everyAccount : null)
  const { stream, type, data, metadata } = event
  const { isAccount, kind, id } = aboutStream(stream)
  if (isAccount) return id
  if (kind === 'connection' || kind === 'flow' || kind === 'folder')
    return passing.includes(type) ? null : metadata.owner
  if (kind === 'support') return metadata.owner
  return 'userId' in data && typeof data.userId === 'string' ? data.userId : null
}
