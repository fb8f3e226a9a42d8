import type { EventType } from '@prosa/contracts/events/all-events'
import { automationEvents } from '@prosa/contracts/events/automation'
import { billingEvents } from '@prosa/contracts/events/billing'
import {
  contactEvents,
  contactFieldEvents,
  labelEvents,
  openingHoursEvents,
  quickReplyEvents,
} from '@prosa/contracts/events/contacts'
import { identityEvents } from '@prosa/contracts/events/identity'
import {
  apiKeyEvents,
  dataExportEvents,
  operationsEvents,
  readModelRebuildEvents,
  streamExportEvents,
  tenantReadingEvents,
} from '@prosa/contracts/events/operations'
import { connectionEvents } from '@prosa/contracts/events/sessions'
import { webhookEvents } from '@prosa/contracts/events/webhooks'
import type { HistoryGroup, HistoryRecordKind } from '@prosa/contracts/http/history'
import { type PastRecord, type PastRecordKind, pastKindsOfTenant } from '@prosa/contracts/http/past/past-records'
import { type Category, parseStream } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'

/** Without chats, lines, files and contact keys: nearly the whole log, shown elsewhere. */
export const timelineEvents = {
  ...identityEvents,
  ...billingEvents,
  ...connectionEvents,
  ...contactEvents,
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

export type PlacedCategory = Exclude<Category, 'contactKey' | 'chat' | 'line' | 'media'>

interface About {
  kind: HistoryRecordKind
  group: HistoryGroup
  /** The id in the stream name is an account's. */
  isAccount?: true
}

/** A missing category does not compile. */
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
  contactField: { kind: 'user', group: 'conversation', isAccount: true },
  flowFolder: { kind: 'folder', group: 'automation' },
  flow: { kind: 'flow', group: 'automation' },
  defaultFlow: { kind: 'user', group: 'automation', isAccount: true },
  flowOrder: { kind: 'user', group: 'automation', isAccount: true },
  flowSecret: { kind: 'user', group: 'automation', isAccount: true },
  flowRun: { kind: 'contact', group: 'automation' },
  connection: { kind: 'connection', group: 'connection' },
  parkedWork: { kind: 'work', group: 'work' },
  tenantReading: { kind: 'user', group: 'reading', isAccount: true },
  dataExport: { kind: 'user', group: 'account', isAccount: true },
  readModelRebuild: { kind: 'work', group: 'work' },
  apiKey: { kind: 'user', group: 'account', isAccount: true },
  streamExport: { kind: 'user', group: 'reading', isAccount: true },
  webhook: { kind: 'user', group: 'account', isAccount: true },
}

export const timelineCategories = Object.keys(about) as PlacedCategory[]

const aboutStream = (stream: string) => {
  const { category, id } = parseStream(stream)
  // `tenantReading-<account>:<what>`, `dataExport-<account>:<export>`; account ids have no colon.
  const named = about[category as PlacedCategory]
  return { ...named, id: named.isAccount ? (id.split(':')[0] ?? id) : id }
}

/** `order:<id>` */
export const recordKey = (kind: HistoryRecordKind, id: string): string => `${kind}:${id}`

export const parseRecordKey = (key: string): { kind: HistoryRecordKind; id: string } => {
  const colon = key.indexOf(':')
  return { kind: key.slice(0, colon) as HistoryRecordKind, id: key.slice(colon + 1) }
}

/** Undefined outside the timeline. */
export const findRecord = (stream: string): { kind: HistoryRecordKind; id: string } | undefined =>
  Object.hasOwn(about, parseStream(stream).category) ? recordOf(stream) : undefined

/** By type, not stream. */
const groupsOfTypes: { [T in EventType]?: HistoryGroup } = { ErasedBuyerCharged: 'erasedCharge' }

export const groupOf = ({ stream, type }: Pick<Stored, 'stream' | 'type'>): HistoryGroup =>
  groupsOfTypes[type] ?? recordOf(stream).group

export const recordOf = (stream: string): { kind: HistoryRecordKind; id: string; group: HistoryGroup } => {
  const { kind, group, id } = aboutStream(stream)
  return { kind, group, id }
}

/** A label, a quick reply or a run of a flow, whose streams hold many of them. */
export const partOf = ({ data }: Stored): string | null => {
  if ('runId' in data && data.runId !== null) return `run:${data.runId}`
  if ('labelId' in data) return `label:${data.labelId}`
  return 'quickReplyId' in data ? `quickReply:${data.quickReplyId}` : null
}

/** Frequent events, such as QR codes and draft saves, appear only in their own record's timeline. */
export const passing: readonly string[] = [
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

/** Matches every account: readings of whole lists. */
export const everyAccount = '*'

const isReading = ({ type }: Stored) => Object.hasOwn(tenantReadingEvents, type)

/** If it is one tenant. */
const readTenant = ({ data }: Stored): string | null => ('tenantId' in data ? data.tenantId : null)

const readRecord = ({ data }: Stored): string | null => ('what' in data ? data.record : null)

/** Key of the read record, else of the stream's subject. */
export const recordKeyOf = (event: Stored): string => {
  const { kind, id } = recordOf(event.stream)
  return isReading(event) ? (readRecord(event) ?? recordKey(kind, readTenant(event) ?? id)) : recordKey(kind, id)
}

/** If the event itself shows it; null for contacts' events. */
export const accountOf = (event: Stored): string | null => {
  // Found by record once assigned.
  if (isReading(event)) return readTenant(event) ?? (readRecord(event) === null ? everyAccount : null)
  const { stream, type, data, metadata } = event
  const { isAccount, kind, id } = aboutStream(stream)
  if (isAccount) return id
  if (kind === 'connection' || kind === 'flow' || kind === 'folder')
    return passing.includes(type) ? null : metadata.tenant
  if (kind === 'support') return metadata.tenant
  return 'userId' in data && typeof data.userId === 'string' ? data.userId : null
}

const pastKinds: { [C in Category]?: PastRecordKind } = {
  contact: 'contact',
  chat: 'contact',
  connection: 'connection',
  flow: 'flow',
  flowFolder: 'folder',
  contactField: 'fields',
  company: 'company',
  openingHours: 'openingHours',
  user: 'access',
  subscription: 'access',
  order: 'order',
  plan: 'plan',
  webhookDelivery: 'delivery',
}

const kindsOfParts: Readonly<Record<string, PastRecordKind>> = { run: 'run', label: 'label', quickReply: 'quickReply' }

const partIn = (event: Stored): PastRecord | undefined => {
  const part = partOf(event) ?? ''
  const [word, id] = [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]
  const kind = kindsOfParts[word]
  return kind && { kind, id }
}

const categoriesOfParts: readonly string[] = ['flowRun', 'label', 'quickReply'] satisfies Category[]

/** What an event changed, as far as it is shown as it was; a tenant sees no records of the platform. */
export const pastRecordOf = (event: Stored, isTenant: boolean): PastRecord | undefined => {
  const { category, id } = parseStream(event.stream)
  if (categoriesOfParts.includes(category)) return partIn(event)
  const kind = pastKinds[category as Category]
  return kind && (!isTenant || pastKindsOfTenant.some((own) => own === kind)) ? { kind, id } : undefined
}
