import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Projection, RowHandler } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { type ConversationWaitRow, conversationWaitTable, type Wait } from './table.ts'

type Row = ConversationWaitRow | undefined

/** Both streams have the contact's id. */
const key = ({ stream }: Stored) => parseStream(stream).id

const own = (since: Instant): Wait => ({ of: null, since, mergedBy: null })
const isOwn = ({ of }: Wait) => of === null
const isMerged = ({ of }: Wait) => of !== null

const earliestOf = (waits: readonly Wait[]): Instant | null =>
  waits.reduce<Instant | null>((first, { since }) => (first === null || since < first ? since : first), null)

const added = (event: StoredOf<'ContactAdded'>): Row => {
  const { tenant, recordedAt } = event.metadata
  const { origin } = event.data
  if (tenant === null) return undefined
  return {
    key: key(event),
    tenant,
    addedAt: recordedAt,
    isAbsorbed: false,
    isOpen: origin !== 'phone',
    mergedBy: null,
    // Added by an attendant: waits only after writing.
    waits: origin === 'message' ? [own(recordedAt)] : [],
    acceptedAt: null,
    waitedSeconds: null,
  }
}

/** A separate row; the contact's row needs no change before the conversation is resolved. */
const accepted = (event: StoredOf<'ConversationAccepted'>, contact: Row): Row => {
  const { recordedAt, causationId } = event.metadata
  if (!contact) return undefined
  // The merged contact's wait was counted before.
  const since = earliestOf(contact.waits.filter(({ mergedBy }) => mergedBy !== causationId))
  if (since === null) return undefined
  return {
    ...contact,
    key: acceptanceKey(event),
    addedAt: null,
    isAbsorbed: false,
    isOpen: false,
    mergedBy: null,
    waits: [],
    acceptedAt: recordedAt,
    waitedSeconds: Math.max(0, Math.round((Date.parse(recordedAt) - Date.parse(since)) / 1000)),
  }
}

const acceptanceKey = (event: Stored) => `${key(event)} ${event.position}`

/** After a merge its wait continues. */
const reopened = (row: Row, { metadata }: Stored): Row => {
  if (!row) return undefined
  const isByMerge = row.mergedBy !== null && row.mergedBy === metadata.causationId
  return { ...row, isOpen: true, waits: isByMerge ? row.waits.filter(isMerged) : [own(metadata.recordedAt)] }
}

const received = (row: Row, { metadata }: Stored): Row =>
  !row?.isOpen || row.waits.some(isOwn) ? row : { ...row, waits: [...row.waits, own(metadata.recordedAt)] }

/** Answered on the phone; a late report answers nothing written later. */
const answered = (row: Row, { data }: StoredOf<'MessageSentElsewhere'>): Row =>
  row?.waits.some(({ since }) => since <= data.sentAt)
    ? { ...row, waits: row.waits.filter(({ since }) => since > data.sentAt) }
    : row

const merged: RowHandler<ConversationWaitRow, StoredOf<'ContactMerged'>> = {
  key,
  beside: ({ data }) => data.absorbed,
  row: (row, { data: { absorbed }, metadata: { causationId } }, other) => {
    if (!row) return undefined
    const since = other ? earliestOf(other.waits) : null
    const others = row.waits.filter(({ of }) => of !== absorbed)
    const waits = since === null ? others : [...others, { of: absorbed, since, mergedBy: causationId }]
    return { ...row, waits, mergedBy: causationId }
  },
}

/**
 * Waits by our clock, from first unanswered message to acceptance. Merged contacts count once. No personal data: survives a contact's
 * erasure.
 */
export const conversationWaits: Projection<ConversationWaitRow> = {
  name: 'conversation-waits',
  version: 1,
  categories: ['contact', 'chat', 'user'],
  table: conversationWaitTable,
  on: {
    ContactAdded: { key, row: (_, event) => added(event) },
    ConversationReopened: { key, row: reopened },
    ConversationResumed: { key, row: (row) => row && { ...row, isOpen: true } },
    ConversationAccepted: { key: acceptanceKey, beside: key, row: (_, event, contact) => accepted(event, contact) },
    ConversationResolved: { key, row: (row) => row && { ...row, isOpen: false, waits: [] } },
    MessageReceived: { key, row: received },
    MessageSentElsewhere: { key, row: answered },
    ContactMerged: merged,
    ContactSeparated: {
      key,
      row: (row, { data: { restored } }) => row && { ...row, waits: row.waits.filter(({ of }) => of !== restored) },
    },
    // Its wait moved with its first merge and does not move again.
    ContactAbsorbed: { key, row: (row) => row && { ...row, isAbsorbed: true, waits: row.isAbsorbed ? [] : row.waits } },
    ContactRestored: { key, row: (row) => row && { ...row, isAbsorbed: false, waits: row.waits.filter(isOwn) } },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
