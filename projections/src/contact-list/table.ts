import type { Contact, MessageKind, MessageStatus, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { KnownLine } from '@prosa/contracts/values/lines'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ContactRow {
  id: string
  owner: string | null
  /** What the business calls the person, or else their own name. */
  name: string | null
  /** Their own name on WhatsApp. */
  whatsappName: string | null
  givenName: string | null
  phone: string | null
  /** Names and numbers in the form that `searchText` compares. */
  search: string
  serviceStatus: ServiceStatus
  /** While it waits, the earlier of its own waiting and of that of the contacts merged into it. */
  waitingSince: string | null
  ownWaitingSince: string | null
  /** The later of its own activity and of that of the contacts merged into it. */
  lastActivity: string
  ownActivity: string
  unreadCount: number
  /** The oldest message that nobody has seen, and its place in the log; null when there is none. */
  firstUnreadId: string | null
  firstUnreadPlace: string | null
  /** Place in the log of the event by which everything before it had been seen; '' while there was none. */
  seenPlace: string
  /** When the contact wrote last, but never later than it was received; null while it did not. */
  lastReceivedAt: string | null
  /** The contact that goes on for this one; null while it stands for itself. */
  absorbedInto: string | null
  /**
   * The contacts that stand behind this one, each as active, and on the lines, as it was when it was merged; and waiting, until somebody
   * attends.
   */
  merged: { id: string; lastActivity: string; waitingSince: string | null; lines?: readonly KnownLine[] }[]
  /** The labels that were put on it, also those that were deleted since. */
  labels: string[]
  /**
   * The connections that its own conversation was on, what counts most last; and those together with the lines of the contacts merged into
   * it. Null in rows of a version that did not keep them.
   */
  ownLines: readonly KnownLine[] | null
  lines: readonly KnownLine[] | null
  /** Whose number it has, or who has its number, since WhatsApp reported it with another account. */
  numberMoved: Contact['numberMoved']
  /** While flows pause with it. */
  suspectedRobot: Contact['suspectedRobot']
  lastMessageId: string | null
  lastMessagePlace: string | null
  lastMessageKind: MessageKind | null
  /** In one line. */
  lastMessageLine: string | null
  lastMessageSender: 'user' | 'contact' | null
  lastMessageStatus: MessageStatus | null
}

/** In which order people wait: the longest first, and behind all of them those to whom nobody owes an answer. */
export const waitingPlace = `coalesce(waiting_since, '~' || last_activity)`

export const contactTable: Table<ContactRow> = {
  name: 'contact_list',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
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
    lastMessageId: 'text',
    lastMessagePlace: 'text collate "C"',
    lastMessageKind: 'text',
    lastMessageLine: 'text',
    lastMessageSender: 'text',
    lastMessageStatus: 'text',
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
  },
  after: [
    `create index contact_list_tab on contact_list (owner, service_status, last_activity desc, id desc)
     where absorbed_into is null`,
    `create index contact_list_waiting on contact_list (owner, (${waitingPlace}) collate "C", id)
     where service_status = 'waiting' and absorbed_into is null`,
    'create index contact_list_all on contact_list (owner, last_activity desc, id desc) where absorbed_into is null',
    `create index contact_list_labels on contact_list using gin (labels jsonb_path_ops) where labels <> '[]'`,
    'create index contact_list_absorbed on contact_list (absorbed_into) where absorbed_into is not null',
    'create index contact_list_hidden on contact_list (owner) where absorbed_into is not null',
  ],
}
