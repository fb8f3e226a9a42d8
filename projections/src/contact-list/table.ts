import type { Contact, MessageKind, MessageStatus, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { KnownLine } from '@prosa/contracts/values/lines'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ContactRow {
  id: string
  tenant: string | null
  /** The business's, else the person's. */
  name: string | null
  whatsappName: string | null
  givenName: string | null
  phone: string | null
  /** In the form of `searchText`. */
  search: string
  serviceStatus: ServiceStatus
  /** Earliest, with merged contacts. */
  waitingSince: string | null
  ownWaitingSince: string | null
  /** Latest, with merged contacts. */
  lastActivity: string
  ownActivity: string
  unreadCount: number
  /** Oldest unseen message and log position. */
  firstUnreadId: string | null
  firstUnreadPlace: string | null
  /** Seen before this log position; '' if never. */
  seenPlace: string
  /** Never later than the receipt. */
  lastReceivedAt: string | null
  /** The contact that continues for this one after a merge. */
  absorbedInto: string | null
  /** Merged contacts: activity and lines when merged, wait until somebody attends. */
  merged: { id: string; lastActivity: string; waitingSince: string | null; lines?: readonly KnownLine[] }[]
  /** Includes deleted labels. */
  labels: string[]
  /** Connections in ascending rank (see `KnownLine`); `lines` includes merged contacts. Null in older rows. */
  ownLines: readonly KnownLine[] | null
  lines: readonly KnownLine[] | null
  numberMoved: Contact['numberMoved']
  suspectedRobot: Contact['suspectedRobot']
  /** Runs of flows with it, in order of their start; null in older rows. */
  runs: readonly { id: string; since: string }[] | null
  /** Of the first of them. */
  botSince: string | null
  /** Since a transfer, until a person attends it. */
  personAskedAt: string | null
  botPause: Contact['botPause']
  lastMessageId: string | null
  lastMessagePlace: string | null
  lastMessageKind: MessageKind | null
  lastMessageLine: string | null
  lastMessageSender: 'user' | 'contact' | null
  lastMessageStatus: MessageStatus | null
  lastMessageIsFlow: boolean | null
}

/** Fields of a contact that are shown as they are stored. */
export const shownAsStored = [
  'id',
  'phone',
  'lastActivity',
  'serviceStatus',
  'waitingSince',
  'botSince',
  'personAskedAt',
  'botPause',
  'suspectedRobot',
  'numberMoved',
] as const satisfies (keyof Contact & keyof ContactRow)[]

/** Who asked for a person first, then the longest wait, then without an unanswered message. */
export const waitingOrder = `coalesce(' ' || person_asked_at, waiting_since, '~' || last_activity)`

export const contactTable: Table<ContactRow> = {
  name: 'contact_list',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
    name: 'text',
    whatsappName: 'text',
    givenName: 'text',
    phone: 'text',
    search: 'text collate "C" not null',
    serviceStatus: 'text collate "C" not null',
    waitingSince: 'text',
    ownWaitingSince: 'text',
    lastActivity: 'text collate "C" not null',
    ownActivity: 'text collate "C" not null',
    unreadCount: 'int not null',
    firstUnreadId: 'text',
    firstUnreadPlace: 'text collate "C"',
    seenPlace: 'text collate "C" not null',
    lastReceivedAt: 'text',
    absorbedInto: 'text collate "C"',
    merged: `jsonb not null default '[]'`,
    labels: `jsonb not null default '[]'`,
    ownLines: 'jsonb',
    lines: 'jsonb',
    suspectedRobot: 'jsonb',
    numberMoved: 'jsonb',
    runs: 'jsonb',
    botSince: 'text',
    personAskedAt: 'text',
    botPause: 'jsonb',
    lastMessageId: 'text',
    lastMessagePlace: 'text collate "C"',
    lastMessageKind: 'text',
    lastMessageLine: 'text',
    lastMessageSender: 'text',
    lastMessageStatus: 'text',
    lastMessageIsFlow: 'boolean',
  },
  added: {
    suspectedRobot: { was: 'null' },
    whatsappName: { notKnownYet: true },
    givenName: { was: 'null' },
    ownWaitingSince: { notKnownYet: true },
    firstUnreadId: { notKnownYet: true },
    firstUnreadPlace: { notKnownYet: true },
    lastReceivedAt: { notKnownYet: true },
    labels: { was: `'[]'` },
    ownLines: { notKnownYet: true },
    lines: { notKnownYet: true },
    numberMoved: { was: 'null' },
    runs: { notKnownYet: true },
    botSince: { notKnownYet: true },
    personAskedAt: { notKnownYet: true },
    botPause: { was: 'null' },
    lastMessageIsFlow: { notKnownYet: true },
  },
  after: [
    `create index contact_list_tab on contact_list (owner, service_status, last_activity desc, id desc)
     include (bot_since, person_asked_at) where absorbed_into is null`,
    `create index contact_list_waiting on contact_list (owner, (${waitingOrder}) collate "C", id)
     where service_status = 'waiting' and bot_since is null and absorbed_into is null`,
    'create index contact_list_all on contact_list (owner, last_activity desc, id desc) where absorbed_into is null',
    `create index contact_list_labels on contact_list using gin (labels jsonb_path_ops) where labels <> '[]'`,
    'create index contact_list_absorbed on contact_list (absorbed_into) where absorbed_into is not null',
    'create index contact_list_hidden on contact_list (owner) where absorbed_into is not null',
  ],
}
