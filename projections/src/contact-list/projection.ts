import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { furtherStatus } from '../message-status.ts'
import { deletedText, messageLine } from '../message-text.ts'
import type { Projection, StoredOf } from '../runner/projection.ts'
import { searchable } from './search-text.ts'
import { type ContactRow, contactTable } from './table.ts'

type Row = ContactRow | undefined

/** Both `contact-<id>` and `chat-<id>` are named after the contact. */
const key = ({ stream }: Stored) => parseStream(stream).id

/**
 * When people wrote counts, not when we heard of it; but never later than now, and never back. The first message of a contact
 * also replaces the moment of its adding.
 */
const ownActivity = (row: ContactRow, writtenAt: Instant, recordedAt: Instant): Instant => {
  const moment = writtenAt < recordedAt ? writtenAt : recordedAt
  return row.lastMessageId !== null && row.ownActivity > moment ? row.ownActivity : moment
}

const latest = (moments: readonly Instant[]): Instant => moments.reduce((one, other) => (one > other ? one : other))

const active = (row: ContactRow, change: Partial<Pick<ContactRow, 'ownActivity' | 'merged'>>): ContactRow => {
  const { ownActivity, merged } = { ...row, ...change }
  return {
    ...row,
    ownActivity,
    merged,
    lastActivity: latest([ownActivity, ...merged.map((each) => each.lastActivity)]),
  }
}

type Message = StoredOf<'MessageReceived'> | StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>

const withMessage = (
  row: ContactRow,
  { data, metadata, position }: Message,
  writtenAt: Instant,
  side: Pick<ContactRow, 'lastMessageSender' | 'lastMessageStatus' | 'unreadCount' | 'seenPlace'>,
): ContactRow => ({
  ...active(row, { ownActivity: ownActivity(row, writtenAt, metadata.recordedAt) }),
  lastMessageId: data.messageId,
  lastMessagePlace: position,
  lastMessageKind: data.content.kind,
  lastMessageLine: messageLine(data.content),
  ...side,
})

const received = (row: Row, event: StoredOf<'MessageReceived'>): Row =>
  row &&
  withMessage(row, event, event.data.sentAt, {
    lastMessageSender: 'contact',
    lastMessageStatus: null,
    unreadCount: row.unreadCount + 1,
    seenPlace: row.seenPlace,
  })

/** Whoever answers has read what came before. */
const written = (
  row: Row,
  event: StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>,
  writtenAt: Instant,
  status: MessageStatus,
): Row =>
  row &&
  withMessage(row, event, writtenAt, {
    lastMessageSender: 'user',
    lastMessageStatus: status,
    unreadCount: 0,
    seenPlace: event.position,
  })

/** Changes what is shown of the last message, where the event is about that one. */
const lastMessage = <E extends Stored & { data: { messageId: string } }>(
  change: (row: ContactRow, event: E) => Partial<ContactRow>,
) => ({
  key,
  row: (row: Row, event: E): Row =>
    row?.lastMessageId === event.data.messageId ? { ...row, ...change(row, event) } : row,
})

const tick = (status: MessageStatus) =>
  lastMessage(({ lastMessageSender, lastMessageStatus }) =>
    lastMessageSender === 'user' ? { lastMessageStatus: furtherStatus(lastMessageStatus, status) } : {},
  )

const turn = (serviceStatus: ContactRow['serviceStatus']) => ({
  key,
  row: (row: Row, { metadata }: Stored) =>
    row && { ...row, serviceStatus, waitingSince: serviceStatus === 'waiting' ? metadata.recordedAt : null },
})

/** An edit changes words only, and may tell no more than these: a picture stays one. */
const edited = (
  { lastMessageKind: kind, lastMessageLine }: ContactRow,
  content: MessageContent,
): Partial<ContactRow> => {
  if (kind === 'deleted') return {}
  const hasCaption = kind === 'image' || kind === 'video' || kind === 'document'
  return {
    lastMessageKind: hasCaption ? kind : content.kind,
    lastMessageLine: messageLine(content) || lastMessageLine,
  }
}

/** One row per contact: whose turn it is, what was said last, and how much of it nobody has seen. */
export const contactList: Projection<ContactRow> = {
  name: 'contact-list',
  version: 2,
  categories: ['contact', 'chat'],
  table: contactTable,
  on: {
    ContactAdded: {
      key,
      row: (_, { stream, data: { name, phone, origin }, metadata }) => ({
        id: parseStream(stream).id,
        owner: metadata.owner,
        name,
        phone,
        search: searchable(name, phone),
        // Found because the own side wrote to it on the phone: nobody is waiting.
        serviceStatus: origin === 'phone' ? 'resolved' : 'waiting',
        waitingSince: origin === 'phone' ? null : metadata.recordedAt,
        lastActivity: metadata.recordedAt,
        ownActivity: metadata.recordedAt,
        unreadCount: 0,
        seenPlace: '',
        absorbedInto: null,
        merged: [],
        lastMessageId: null,
        lastMessagePlace: null,
        lastMessageKind: null,
        lastMessageLine: null,
        lastMessageSender: null,
        lastMessageStatus: null,
      }),
    },
    ContactIdentified: {
      key,
      row: (row, { data: { phone } }) => row && { ...row, phone, search: searchable(row.name, phone) },
    },
    ContactNamed: {
      key,
      row: (row, { data: { name } }) => row && { ...row, name, search: searchable(name, row.phone) },
    },
    ConversationAccepted: turn('attending'),
    ConversationResolved: turn('resolved'),
    ConversationReopened: turn('waiting'),
    ContactMerged: {
      key,
      beside: ({ data }) => data.absorbed,
      row: (row, { data: { absorbed } }, other) => {
        if (!row) return undefined
        const lastActivity = other?.lastActivity ?? row.ownActivity
        return active(row, {
          merged: [...row.merged.filter(({ id }) => id !== absorbed), { id: absorbed, lastActivity }],
        })
      },
    },
    ContactSeparated: {
      key,
      row: (row, { data: { restored } }) =>
        row && active(row, { merged: row.merged.filter(({ id }) => id !== restored) }),
    },
    ContactAbsorbed: { key, row: (row, { data: { into } }) => row && { ...row, absorbedInto: into } },
    // Who stood behind it before it was merged has moved on behind whom it stood.
    ContactRestored: {
      key,
      beside: ({ data }) => data.from,
      row: (row, _, from) => {
        if (!row) return undefined
        const isSeen = (row.lastMessagePlace ?? '') <= (from?.seenPlace ?? '')
        return { ...active(row, { merged: [] }), absorbedInto: null, unreadCount: isSeen ? 0 : row.unreadCount }
      },
    },
    ContactErased: { key, row: () => undefined },
    // The contacts service adds the contact before its first message, so there is always a row here.
    MessageReceived: { key, row: received },
    MessageQueued: { key, row: (row, event) => written(row, event, event.metadata.recordedAt, 'queued') },
    MessageSentElsewhere: { key, row: (row, event) => written(row, event, event.data.sentAt, 'sent') },
    MessageSent: tick('sent'),
    MessageDelivered: tick('delivered'),
    MessageRead: tick('read'),
    MessageFailed: tick('failed'),
    MessageEdited: lastMessage<StoredOf<'MessageEdited'>>((row, { data }) => edited(row, data.content)),
    MessageDeleted: lastMessage(() => ({ lastMessageKind: 'deleted', lastMessageLine: deletedText })),
    ChatSeen: { key, row: (row, { position }) => row && { ...row, unreadCount: 0, seenPlace: position } },
  },
}
