import type { EventType } from '@prosa/contracts/events/all-events'
import type { AdminArea } from '@prosa/contracts/realtime'
import { type Category, parseStream } from '@prosa/contracts/streams'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'

export type PushKind =
  | 'message'
  | 'contact'
  | 'contact-notes'
  | 'contact-field-values'
  | 'contact-field'
  | 'robot'
  | 'asked'
  | 'connection'
  | 'media'
  | 'quick-reply'
  | 'label'
  | 'flow'
  | 'settings'
  | 'account'
  | `admin-${AdminArea}`
  /** The account's permissions, and with them its rooms. */
  | 'roles'

export interface Push {
  kind: PushKind
  /** '' for administrators. */
  tenant: string
  /** The subject's id; the tenant's for labels, flows and settings. */
  id: string
  contactId?: string
  area?: AdminArea
  position: Position
  correlationId: string
}

export const isAdministrators = (push: Push): push is Push & { area: AdminArea } => push.area !== undefined

/** Read models that show it. */
export const shownBy: Record<PushKind, readonly string[]> = {
  message: ['chat-messages', 'contact-list'],
  contact: ['contact-list'],
  'contact-notes': ['contact-notes'],
  'contact-field-values': ['contact-field-values'],
  robot: ['contact-list'],
  asked: ['contact-list'],
  connection: ['connections'],
  media: ['media'],
  'quick-reply': ['quick-replies'],
  label: ['labels'],
  'contact-field': ['contact-fields'],
  flow: ['flows', 'flow-folders', 'flow-versions', 'default-flow'],
  settings: ['company', 'opening-hours'],
  account: ['account', 'usage'],
  'admin-users': ['account'],
  'admin-transactions': ['transactions'],
  'admin-plans': ['plans'],
  'admin-webhook': ['webhook-deliveries'],
  'admin-operations': ['webhook-deliveries'],
  'admin-support': ['support-requests'],
  roles: ['account'],
}

const adminAreas: { [C in Category]?: AdminArea } = {
  user: 'users',
  subscription: 'users',
  order: 'transactions',
  plan: 'plans',
  webhookDelivery: 'webhook',
  refusedDeliveries: 'webhook',
  parkedWork: 'operations',
  readModelRebuild: 'operations',
  supportRequest: 'support',
}

export const administratorsCategories = Object.keys(adminAreas)

export const pushedCategories = [
  'chat',
  'contact',
  'flowRun',
  'connection',
  'media',
  'quickReply',
  'label',
  'contactField',
  'flow',
  'flowFolder',
  'defaultFlow',
  'flowOrder',
  'company',
  'openingHours',
  'subscription',
  'user',
]

/** One push for all: one screen shows them. */
const ofFlows: readonly string[] = ['flow', 'flowFolder', 'defaultFlow', 'flowOrder'] satisfies Category[]

/** Facts without effect on permissions. */
const withoutEffect: readonly string[] = [
  'OrderAttached',
  'OrderDetached',
  'AddressAttached',
  'SubscriberErased',
] satisfies EventType[]

const ofSending: readonly string[] = [
  'EmailConfirmed',
  'EmailChanged',
  'EmailConfirmationDemanded',
] satisfies EventType[]

/** Who speaks with a contact, and whether it waits for a person. */
const ofRuns: readonly string[] = [
  'FlowRunStarted',
  'FlowRunEnded',
  'FlowRunMovedAway',
  'FlowRunTakenOver',
  'FlowCountsTakenOver',
  'FlowsResumed',
  'BotPaused',
  'BotResumed',
] satisfies EventType[]

const kindOf = (category: string, type: string): PushKind | undefined => {
  // Seeing a chat changes only the list; an erased one is not pushed as a message.
  if (category === 'chat') return type === 'ChatSeen' || type === 'ChatErased' ? 'contact' : 'message'
  if (type === 'ContactFieldSet') return 'contact-field-values'
  if (type === 'ContactNoteWritten' || type === 'ContactNoteRemoved') return 'contact-notes'
  if (category === 'quickReply') return 'quick-reply'
  if (category === 'label') return 'label'
  if (category === 'contactField') return 'contact-field'
  if (ofFlows.includes(category)) return 'flow'
  if (category === 'company' || category === 'openingHours') return 'settings'
  if (category === 'flowRun') return ofRuns.includes(type) ? 'contact' : undefined
  if (category === 'subscription') return withoutEffect.includes(type) ? undefined : 'account'
  if (category === 'user') return ofSending.includes(type) ? 'account' : undefined
  return category === 'contact' || category === 'connection' || category === 'media' ? category : undefined
}

/** One push for each changed subject, at its latest position. */
export const pushesFor = (events: readonly RecordedEvent[]): Push[] => {
  const pushes = new Map<string, Push>()
  for (const { stream, type, position, metadata, data } of events) {
    const { category, id: named } = parseStream(stream)
    const kind = kindOf(category, type)
    const { tenant, correlationId } = metadata
    if (!kind || tenant === null) continue
    const id = kind === 'flow' ? tenant : named
    const contactId = kind === 'media' && typeof data.contactId === 'string' ? data.contactId : undefined
    // Unsent files are on no screen.
    if (kind === 'media' && contactId === undefined) continue
    pushes.set(`${kind} ${id}`, { kind, tenant, id, contactId, position, correlationId })
    if (type === 'RobotSuspected') pushes.set(`robot ${id}`, { kind: 'robot', tenant, id, position, correlationId })
    if (type === 'FlowRunEnded' && data.reason === 'handed_over')
      pushes.set(`asked ${id}`, { kind: 'asked', tenant, id, position, correlationId })
  }
  return [...pushes.values()]
}

export const administratorsPushesFor = (events: readonly RecordedEvent[]): Push[] => {
  const pushes = new Map<string, Push>()
  for (const { stream, type, position, metadata } of events) {
    const { category, id } = parseStream(stream)
    const area = adminAreas[category as Category]
    const { correlationId } = metadata
    if (area) pushes.set(area, { kind: `admin-${area}`, tenant: '', id: area, area, position, correlationId })
    if (type === 'RoleGranted' || type === 'RoleRevoked')
      pushes.set(`roles ${id}`, { kind: 'roles', tenant: id, id, position, correlationId })
  }
  return [...pushes.values()]
}
