import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { chosen, writtenOver, writtenTo } from '@prosa/contracts/values/lines'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { furtherStatus } from '../message-status.ts'
import { deletedText, messageLine } from '../message-text.ts'
import { searchable } from '../search-text.ts'
import { lastReceived, ownActivity, ownWaiting, together } from './moments.ts'
import { attended, runsOfContacts } from './runs.ts'
import { type ContactRow, contactTable } from './table.ts'

type Row = ContactRow | undefined

/** Both streams have the contact's id. */
const key = ({ stream }: Stored) => parseStream(stream).id

type Message = StoredOf<'MessageReceived'> | StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>

type Unread = Pick<ContactRow, 'unreadCount' | 'firstUnreadId' | 'firstUnreadPlace'>

const nothingUnread: Unread = { unreadCount: 0, firstUnreadId: null, firstUnreadPlace: null }

const oneMoreUnread = (row: ContactRow, { data, position }: Message): Unread => ({
  unreadCount: row.unreadCount + 1,
  firstUnreadId: row.firstUnreadId ?? data.messageId,
  firstUnreadPlace: row.firstUnreadPlace ?? position,
})

const withMessage = (
  row: ContactRow,
  { type, data, metadata, position }: Message,
  writtenAt: Instant,
  side: Pick<ContactRow, 'lastMessageSender' | 'lastMessageStatus' | 'seenPlace'> & Unread,
): ContactRow => ({
  ...together(row, { ownActivity: ownActivity(row, writtenAt, metadata.recordedAt) }),
  lastMessageId: data.messageId,
  lastMessagePlace: position,
  lastMessageKind: data.content.kind,
  lastMessageLine: messageLine(data.content),
  lastMessageIsFlow: type === 'MessageQueued' && data.automatic === 'flow',
  ...side,
})

const linesOf = ({ ownLines }: ContactRow) => ownLines ?? []

const overLine = (row: Row, { data }: StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>): Row =>
  row && together(row, { ownLines: writtenOver(linesOf(row), data.connectionId) })

const received = (row: Row, event: StoredOf<'MessageReceived'>): Row =>
  row &&
  together(
    withMessage(row, event, event.data.sentAt, {
      lastMessageSender: 'contact',
      lastMessageStatus: null,
      ...oneMoreUnread(row, event),
      seenPlace: row.seenPlace,
    }),
    {
      ownLines: writtenTo(linesOf(row), event.data.connectionId, event.data.receivedAt ?? event.data.sentAt),
      ownWaitingSince: ownWaiting(row, event.data.sentAt, event.metadata.recordedAt),
      lastReceivedAt: lastReceived(row, event.data.sentAt, event.metadata.recordedAt),
    },
  )

/** Replying marks earlier messages as read. */
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
    ...nothingUnread,
    seenPlace: event.position,
  })

/** A late report answers nothing written after it. */
const writtenElsewhere = (before: Row, event: StoredOf<'MessageSentElsewhere'>): Row => {
  const row = overLine(before, event)
  if (!row || event.data.sentAt < (row.lastReceivedAt ?? '')) return row
  const answered = written(row, event, event.data.sentAt, 'sent')
  // Answered on the phone: nobody waits.
  const merged = row.merged.map((each) => ({ ...each, waitingSince: null }))
  return answered && attended(together(answered, { ownWaitingSince: null, merged }))
}

/** Automatic replies mark nothing as read. */
const answered = (row: ContactRow, event: StoredOf<'MessageQueued'>): ContactRow => {
  const { unreadCount, firstUnreadId, firstUnreadPlace, seenPlace } = row
  const unread = { unreadCount, firstUnreadId, firstUnreadPlace }
  const side = { lastMessageSender: 'user', lastMessageStatus: 'queued', ...unread, seenPlace } as const
  return withMessage(row, event, event.metadata.recordedAt, side)
}

/** A retry keeps its position and marks nothing as read. */
const queued = (before: Row, event: StoredOf<'MessageQueued'>): Row => {
  const { messageId, content, isRetry, automatic, isRefused } = event.data
  const row = isRefused ? before : overLine(before, event)
  if (automatic && !isRetry) return row && answered(row, event)
  if (!isRetry) return written(row, event, event.metadata.recordedAt, 'queued')
  if (row?.lastMessageId !== messageId) return row
  const shown = { lastMessageKind: content.kind, lastMessageLine: messageLine(content) }
  return { ...row, ...shown, lastMessageStatus: 'queued' }
}

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
  row: (row: Row, { metadata }: Stored): Row => {
    if (!row) return undefined
    // A merge may reopen it; that wait continues.
    if (serviceStatus === 'waiting')
      return together(row, { serviceStatus, ownWaitingSince: row.ownWaitingSince ?? metadata.recordedAt })
    const merged = row.merged.map((each) => ({ ...each, waitingSince: null }))
    return together(row, { serviceStatus, ownWaitingSince: null, merged })
  },
})

const byPerson = {
  key,
  row: (row: Row, event: Stored): Row => {
    const taken = turn('attending').row(row, event)
    return taken && attended(taken)
  },
}

/** Edits change text only. */
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

/** Search matches both names. */
const named = (row: ContactRow): ContactRow => ({
  ...row,
  name: row.givenName ?? row.whatsappName,
  search: searchable([row.givenName, row.whatsappName], row.phone),
})

export const contactList: Projection<ContactRow> = {
  name: 'contact-list',
  version: 8,
  categories: ['contact', 'chat', 'flowRun'],
  table: contactTable,
  on: {
    ContactAdded: {
      key,
      row: (_, { stream, data: { name, phone, origin }, metadata }) => ({
        id: parseStream(stream).id,
        tenant: metadata.tenant,
        name,
        whatsappName: name,
        givenName: null,
        phone,
        search: searchable([name], phone),
        // Written first on the phone: nobody waits.
        serviceStatus: origin === 'phone' ? 'resolved' : 'waiting',
        // The wait starts with a message; a contact added by an attendant is only listed as waiting.
        waitingSince: origin === 'message' ? metadata.recordedAt : null,
        ownWaitingSince: origin === 'message' ? metadata.recordedAt : null,
        lastActivity: metadata.recordedAt,
        ownActivity: metadata.recordedAt,
        ...nothingUnread,
        seenPlace: '',
        lastReceivedAt: null,
        absorbedInto: null,
        merged: [],
        labels: [],
        ownLines: [],
        lines: [],
        numberMoved: null,
        suspectedRobot: null,
        runs: [],
        botSince: null,
        personAskedAt: null,
        botPause: null,
        lastMessageId: null,
        lastMessagePlace: null,
        lastMessageKind: null,
        lastMessageLine: null,
        lastMessageSender: null,
        lastMessageStatus: null,
        lastMessageIsFlow: null,
      }),
    },
    ContactIdentified: {
      key,
      row: (row, { data: { phone } }) => row && named({ ...row, phone }),
    },
    ContactNamed: {
      key,
      row: (row, { data: { name } }) => row && named({ ...row, whatsappName: name }),
    },
    ContactRenamed: {
      key,
      row: (row, { data: { name } }) => row && named({ ...row, givenName: name }),
    },
    ContactLabelled: {
      key,
      row: (row, { data: { labelId } }) =>
        row && { ...row, labels: [...row.labels.filter((each) => each !== labelId), labelId] },
    },
    ContactUnlabelled: {
      key,
      row: (row, { data: { labelId } }) => row && { ...row, labels: row.labels.filter((each) => each !== labelId) },
    },
    ConversationAccepted: byPerson,
    ConversationResolved: {
      key,
      row: (row, event) => {
        const resolved = turn('resolved').row(row, event)
        if (!resolved) return undefined
        const known = { ...resolved, suspectedRobot: null }
        return event.data.flowId === undefined ? attended(known) : known
      },
    },
    ConversationReopened: turn('waiting'),
    ConversationResumed: byPerson,
    LineChosen: {
      key,
      row: (row, { data }) => row && together(row, { ownLines: chosen(linesOf(row), data) }),
    },
    RobotSuspected: {
      key,
      row: (row, { data, metadata }) => row && { ...row, suspectedRobot: { ...data, at: metadata.recordedAt } },
    },
    RobotSuspicionCleared: { key, row: (row) => row && { ...row, suspectedRobot: null } },
    ContactMerged: {
      key,
      beside: ({ data }) => data.absorbed,
      row: (row, { data: { absorbed } }, other) => {
        if (!row) return undefined
        const lastActivity = other?.lastActivity ?? row.ownActivity
        const waitingSince = other?.waitingSince ?? null
        return together(row, {
          merged: [
            ...row.merged.filter(({ id }) => id !== absorbed),
            { id: absorbed, lastActivity, waitingSince, lines: other?.ownLines ?? [] },
          ],
        })
      },
    },
    ContactSeparated: {
      key,
      row: (row, { data: { restored } }) =>
        row && together(row, { merged: row.merged.filter(({ id }) => id !== restored) }),
    },
    ContactAbsorbed: {
      key,
      // Its wait moved with its first merge and does not move again.
      row: (row, { data: { into } }) =>
        row && { ...row, absorbedInto: into, waitingSince: row.absorbedInto === null ? row.waitingSince : null },
    },
    // Earlier merges into it belong to its survivor.
    ContactRestored: {
      key,
      beside: ({ data }) => data.from,
      row: (row, _, from) => {
        if (!row) return undefined
        const isSeen = (row.lastMessagePlace ?? '') <= (from?.seenPlace ?? '')
        return { ...together(row, { merged: [] }), absorbedInto: null, ...(isSeen && nothingUnread) }
      },
    },
    ContactNumberPassedOn: {
      key,
      row: (row, { data: { to }, metadata }) =>
        row && {
          ...row,
          phone: null,
          search: searchable([row.name, row.whatsappName], null),
          numberMoved: { how: 'passed_on', contactId: to, at: metadata.recordedAt },
        },
    },
    ContactNumberTakenOver: {
      key,
      row: (row, { data: { from }, metadata }) =>
        row && { ...row, numberMoved: { how: 'taken_over', contactId: from, at: metadata.recordedAt } },
    },
    ContactErased: { key, row: () => undefined },
    ...runsOfContacts,
    // The row exists: contacts adds it first.
    MessageReceived: { key, row: received },
    MessageQueued: { key, row: queued },
    MessageSentElsewhere: { key, row: writtenElsewhere },
    MessageSent: tick('sent'),
    MessageDelivered: tick('delivered'),
    MessageRead: tick('read'),
    MessageFailed: tick('failed'),
    MessageEdited: lastMessage<StoredOf<'MessageEdited'>>((row, { data }) => edited(row, data.content)),
    MessageDeleted: lastMessage(() => ({ lastMessageKind: 'deleted', lastMessageLine: deletedText })),
    ChatSeen: { key, row: (row, { position }) => row && { ...row, ...nothingUnread, seenPlace: position } },
  },
}
