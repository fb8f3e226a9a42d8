import type { EventType } from '@prosa/contracts/events/all-events'
import type { AdminArea } from '@prosa/contracts/realtime'
import { type Category, parseStream } from '@prosa/contracts/streams'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'

export type PushKind =
  | 'message'
  | 'contact'
  | 'contact-notes'
  /** A contact was marked as a possible robot: announced, as a message is. */
  | 'robot'
  | 'connection'
  | 'media'
  | 'quick-reply'
  | 'label'
  | 'flow'
  | 'settings'
  | 'account'
  /** For administrators, of whichever tenant. */
  | `admin-${AdminArea}`
  /** What the account may do; its sockets are put into the rooms that go with that. */
  | 'roles'

/** Something of a subscriber that looks different since a position of the log. */
export interface Push {
  kind: PushKind
  /** '' of what is for administrators. */
  owner: string
  /** Of the contact, the connection, the file, the quick reply, the subscriber whose labels, flows or settings changed, or the account. */
  id: string
  /** The contact to whose chat a file belongs. */
  contactId?: string
  /** Of what is for administrators. */
  area?: AdminArea
  position: Position
  /** Of the latest event that changed it. */
  correlationId: string
}

export const isAdministrators = (push: Push): push is Push & { area: AdminArea } => push.area !== undefined

/** Which read models show it. */
export const shownBy: Record<PushKind, readonly string[]> = {
  message: ['chat-messages', 'contact-list'],
  contact: ['contact-list'],
  'contact-notes': ['contact-notes'],
  robot: ['contact-list'],
  connection: ['connections'],
  media: ['media'],
  'quick-reply': ['quick-replies'],
  label: ['labels'],
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

/** What administrators see otherwise once there are events in a stream of this category. */
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

/** The categories of streams whose events are pushed. */
export const pushedCategories = [
  'chat',
  'contact',
  'connection',
  'media',
  'quickReply',
  'label',
  'flow',
  'flowFolder',
  'defaultFlow',
  'company',
  'openingHours',
  'subscription',
  'user',
]

/** Flows, their folders, and which of them greets new contacts: one push for all of them, as one screen shows them. */
const ofFlows: readonly string[] = ['flow', 'flowFolder', 'defaultFlow'] satisfies Category[]

/** Facts of a subscription that change nothing of what its account may do. */
const withoutEffect: readonly string[] = [
  'OrderAttached',
  'OrderDetached',
  'AddressAttached',
  'SubscriberErased',
] satisfies EventType[]

/** What of a user's changes what the account may do. */
const ofSending: readonly string[] = [
  'EmailConfirmed',
  'EmailChanged',
  'EmailConfirmationDemanded',
] satisfies EventType[]

const kindOf = (category: string, type: string): PushKind | undefined => {
  // Seeing a chat changes the list only, and an erased one is not pushed as a message.
  if (category === 'chat') return type === 'ChatSeen' || type === 'ChatErased' ? 'contact' : 'message'
  if (type === 'ContactNoteWritten' || type === 'ContactNoteRemoved') return 'contact-notes'
  if (category === 'quickReply') return 'quick-reply'
  if (category === 'label') return 'label'
  if (ofFlows.includes(category)) return 'flow'
  if (category === 'company' || category === 'openingHours') return 'settings'
  if (category === 'subscription') return withoutEffect.includes(type) ? undefined : 'account'
  if (category === 'user') return ofSending.includes(type) ? 'account' : undefined
  return category === 'contact' || category === 'connection' || category === 'media' ? category : undefined
}

/** What to push for a batch: one push for each thing that changed, however many events it had, at its latest position. */
export const pushesFor = (events: readonly RecordedEvent[]): Push[] => {
  const pushes = new Map<string, Push>()
  for (const { stream, type, position, metadata, data } of events) {
    const { category, id: named } = parseStream(stream)
    const kind = kindOf(category, type)
    const { owner, correlationId } = metadata
    if (!kind || owner === null) continue
    const id = kind === 'flow' ? owner : named
    const contactId = kind === 'media' && typeof data.contactId === 'string' ? data.contactId : undefined
    // A file that nobody was sent yet is on no screen.
    if (kind === 'media' && contactId === undefined) continue
    pushes.set(`${kind} ${id}`, { kind, owner, id, contactId, position, correlationId })
    if (type === 'RobotSuspected') pushes.set(`robot ${id}`, { kind: 'robot', owner, id, position, correlationId })
  }
  return [...pushes.values()]
}

/** The same for administrators, and what changed of who is one. */
export const administratorsPushesFor = (events: readonly RecordedEvent[]): Push[] => {
  const pushes = new Map<string, Push>()
  for (const { stream, type, position, metadata } of events) {
    const { category, id } = parseStream(stream)
    const area = adminAreas[category as Category]
    const { correlationId } = metadata
    if (area) pushes.set(area, { kind: `admin-${area}`, owner: '', id: area, area, position, correlationId })
    if (type === 'RoleGranted' || type === 'RoleRevoked')
      pushes.set(`roles ${id}`, { kind: 'roles', owner: id, id, position, correlationId })
  }
  return [...pushes.values()]
}
