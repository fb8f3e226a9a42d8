import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Projection, RowHandler, UpdateHandler } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { type ConversationRow, conversationTable } from './table.ts'

type Row = ConversationRow | undefined
type Answer = Pick<ConversationRow, 'firstAnswerBy'>['firstAnswerBy'] & string

/** Both streams have the contact's id. */
const key = ({ stream }: Stored) => parseStream(stream).id
const keyOfEarlier = (event: Stored) => `${key(event)} ${event.position}`

const earliest = (one: Instant | null, other: Instant | null): Instant | null => {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

const changed = (row: ConversationRow, { position, metadata }: Stored, change: Partial<ConversationRow>) => ({
  ...row,
  ...change,
  position,
  updatedAt: metadata.recordedAt,
})

const empty = {
  serviceStatus: 'resolved',
  isErased: false,
  connectionId: null,
  hasReceivedOver: false,
  firstMessageAt: null,
  firstAnswerAt: null,
  firstAnswerBy: null,
  firstPersonAnswerAt: null,
  acceptedAt: null,
  attendantId: null,
  resolvedAt: null,
  received: 0,
  sentByPerson: 0,
  sentByRule: 0,
  reopenedAt: null,
  reopenedBy: null,
  moved: null,
} satisfies Partial<ConversationRow>

const added = (event: StoredOf<'ContactAdded'>): Row => {
  const { position, id, metadata, data } = event
  const { tenant, recordedAt } = metadata
  if (tenant === null) return undefined
  const hasOne = data.origin !== 'phone'
  return {
    ...empty,
    key: key(event),
    tenant,
    position,
    updatedAt: recordedAt,
    contactId: key(event),
    personId: key(event),
    conversationId: hasOne ? id : null,
    number: hasOne ? 1 : 0,
    serviceStatus: hasOne ? 'waiting' : 'resolved',
    openedAt: recordedAt,
    openedBy: data.origin === 'attendant' ? 'attendant' : 'contact',
    hasMoved: false,
  }
}

type Opening = StoredOf<'ConversationReopened'> | StoredOf<'ConversationResumed'>

const openedBy = ({ type }: Opening) => (type === 'ConversationReopened' ? 'contact' : 'attendant')

/** The one before stays as a row of its own. */
const earlier: RowHandler<ConversationRow, Opening> = {
  key: keyOfEarlier,
  beside: key,
  row: (_, event, row) => {
    if (!row || row.conversationId === null) return undefined
    const reopened = { reopenedAt: event.metadata.recordedAt, reopenedBy: openedBy(event), moved: null } as const
    return { ...changed(row, event, reopened), key: keyOfEarlier(event) }
  },
}

const next: RowHandler<ConversationRow, Opening> = {
  key,
  row: (row, event) => {
    if (!row) return undefined
    const { id, metadata, type } = event
    const { recordedAt } = metadata
    const isResumed = type === 'ConversationResumed'
    // After a merge the other's conversation goes on here.
    const moved = row.moved?.by === metadata.causationId ? row.moved : null
    return changed(row, event, {
      ...empty,
      conversationId: id,
      number: row.number + 1,
      serviceStatus: isResumed ? 'attending' : 'waiting',
      openedAt: moved?.openedAt ?? recordedAt,
      openedBy: openedBy(event),
      firstMessageAt: moved?.firstMessageAt ?? null,
      ...(isResumed && { acceptedAt: recordedAt, attendantId: event.data.attendantId }),
    })
  },
}

const received = (row: Row, event: StoredOf<'MessageReceived'>): Row =>
  row &&
  changed(row, event, {
    received: row.received + 1,
    firstMessageAt:
      row.serviceStatus === 'resolved' ? row.firstMessageAt : (row.firstMessageAt ?? event.metadata.recordedAt),
    connectionId: event.data.connectionId,
    hasReceivedOver: true,
  })

/** Answers only what was written before it. */
const answered = (row: ConversationRow, by: Answer, at: Instant): Partial<ConversationRow> => {
  if (row.firstMessageAt === null || at < row.firstMessageAt || row.serviceStatus === 'resolved') return {}
  const isPerson = by === 'attendant' || by === 'phone'
  return {
    ...(row.firstAnswerAt === null && { firstAnswerAt: at, firstAnswerBy: by }),
    ...(isPerson && row.firstPersonAnswerAt === null && { firstPersonAnswerAt: at }),
  }
}

const written = (
  row: ConversationRow,
  event: StoredOf<'MessageQueued' | 'MessageSentElsewhere'>,
  by: Answer,
  at: Instant,
) => {
  const isRule = by !== 'attendant' && by !== 'phone'
  return changed(row, event, {
    ...answered(row, by, at),
    sentByPerson: row.sentByPerson + (isRule ? 0 : 1),
    sentByRule: row.sentByRule + (isRule ? 1 : 0),
    connectionId: row.hasReceivedOver ? row.connectionId : event.data.connectionId,
  })
}

/** A retry counts only if it was refused before. */
const queued = (row: Row, event: StoredOf<'MessageQueued'>): Row => {
  const { isRetry, isRefused, wasRefused, automatic } = event.data
  if (!row || isRefused || (isRetry && !wasRefused)) return row
  return written(row, event, automatic ?? 'attendant', event.metadata.recordedAt)
}

/** By WhatsApp's clock, but never the future: reports may be late. */
const writtenElsewhere = (row: Row, event: StoredOf<'MessageSentElsewhere'>): Row => {
  const { sentAt } = event.data
  const { recordedAt } = event.metadata
  return row && written(row, event, 'phone', sentAt < recordedAt ? sentAt : recordedAt)
}

/** The other's conversation goes on in this one, or in the one that the same merge opens. */
const merged = (row: Row, event: StoredOf<'ContactMerged'>, other: Row): Row => {
  if (!row || !other || other.hasMoved || other.serviceStatus === 'resolved') return row
  const { openedAt, firstMessageAt } = other
  if (row.serviceStatus === 'resolved')
    return { ...row, moved: { by: event.metadata.causationId, openedAt, firstMessageAt } }
  return changed(row, event, {
    openedAt: earliest(row.openedAt, openedAt) ?? row.openedAt,
    firstMessageAt: earliest(row.firstMessageAt, firstMessageAt),
  })
}

const allOfContact = <E extends Stored>(
  set: (event: E) => Partial<ConversationRow>,
): UpdateHandler<ConversationRow, E> => ({
  update: {
    column: 'contactId',
    value: key,
    set: (event) => ({ ...set(event), position: event.position, updatedAt: event.metadata.recordedAt }),
  },
})

/** A row a conversation. No personal data: survives a contact's erasure, which ends it. */
export const analyticConversations: Projection<ConversationRow> = {
  name: 'analytic-conversations',
  version: 1,
  categories: ['contact', 'chat', 'user'],
  table: conversationTable,
  on: {
    ContactAdded: { key, row: (_, event) => added(event) },
    ConversationReopened: [earlier, next],
    ConversationResumed: [earlier, next],
    ConversationAccepted: {
      key,
      row: (row, event) =>
        row &&
        changed(row, event, {
          serviceStatus: 'attending',
          acceptedAt: row.acceptedAt ?? event.metadata.recordedAt,
          attendantId: event.data.attendantId,
        }),
    },
    ConversationResolved: {
      key,
      row: (row, event) =>
        row && changed(row, event, { serviceStatus: 'resolved', resolvedAt: event.metadata.recordedAt }),
    },
    MessageReceived: { key, row: received },
    MessageQueued: { key, row: queued },
    MessageSentElsewhere: { key, row: writtenElsewhere },
    ContactMerged: { key, beside: ({ data }) => data.absorbed, row: merged },
    ContactAbsorbed: [
      // Merged again with its survivor: what it had is there already.
      { key, row: (row) => row && { ...row, hasMoved: row.personId !== row.contactId } },
      allOfContact<StoredOf<'ContactAbsorbed'>>(({ data }) => ({ personId: data.into })),
    ],
    ContactRestored: [
      { key, row: (row) => row && { ...row, hasMoved: false, moved: null } },
      allOfContact<StoredOf<'ContactRestored'>>((event) => ({ personId: key(event) })),
    ],
    ContactErased: {
      key,
      row: (row, event) => {
        if (!row) return undefined
        const isOpen = row.serviceStatus !== 'resolved'
        const end = isOpen ? ({ serviceStatus: 'resolved', resolvedAt: event.metadata.recordedAt } as const) : {}
        return changed(row, event, { ...end, isErased: isOpen })
      },
    },
    UserErased: { purge: { column: 'tenant', value: key } },
  },
}
