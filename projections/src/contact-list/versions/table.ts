import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { ContactRow } from '../table.ts'

/** What a list shows and what its fold needs, without names and texts: those are read through their keys when shown. */
const foldedFields = ['ownWaitingSince', 'ownActivity', 'merged', 'ownLines', 'runs', 'lastMessageId'] as const
const shownFields = [
  'waitingSince',
  'lastActivity',
  'unreadCount',
  'firstUnreadId',
  'firstUnreadPlace',
  'seenPlace',
  'lastReceivedAt',
  'absorbedInto',
  'labels',
  'lines',
  'numberMoved',
  'suspectedRobot',
  'botSince',
  'personAskedAt',
  'botPause',
  'lastMessagePlace',
] as const

export type ShownState = Pick<ContactRow, (typeof shownFields)[number]>
type FoldedState = Pick<ContactRow, (typeof foldedFields)[number]>
/** Of the latest state alone. */
type Folded = { [Field in keyof FoldedState]: FoldedState[Field] | null }

/** A version is never changed; the latest state, beside it, continues the fold. */
export interface VersionRow extends ShownState, Folded {
  /** Of a version the id of its event, of the latest state the contact's. */
  id: string
  contactId: string
  tenant: string
  isLatest: boolean
  /** Log position and time of the event that made it. */
  position: string
  at: string
  /** Null once erased. */
  serviceStatus: ServiceStatus | null
  /** Of the last message in its chat. */
  lastMessageRevision: number | null
}

const pick = <Row, Field extends keyof Row>(row: Row, fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<Row, Field>

export const shownState = (row: ShownState): ShownState => pick(row, shownFields)
export const foldedState = (row: FoldedState): FoldedState => pick(row, foldedFields)

export const versionTable: Table<VersionRow> = {
  name: 'contact_version',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    contactId: 'text collate "C" not null',
    tenant: 'text collate "C" not null',
    isLatest: 'boolean not null',
    position: 'text collate "C" not null',
    at: 'text not null',
    serviceStatus: 'text collate "C"',
    waitingSince: 'text',
    lastActivity: 'text collate "C" not null',
    unreadCount: 'int not null',
    firstUnreadId: 'text',
    firstUnreadPlace: 'text collate "C"',
    seenPlace: 'text collate "C" not null',
    lastReceivedAt: 'text',
    absorbedInto: 'text collate "C"',
    labels: 'jsonb not null',
    lines: 'jsonb',
    numberMoved: 'jsonb',
    suspectedRobot: 'jsonb',
    botSince: 'text',
    personAskedAt: 'text',
    botPause: 'jsonb',
    lastMessagePlace: 'text collate "C"',
    lastMessageRevision: 'int',
    ownWaitingSince: 'text',
    ownActivity: 'text',
    merged: 'jsonb',
    ownLines: 'jsonb',
    runs: 'jsonb',
    lastMessageId: 'text',
  },
  added: {
    botSince: { notKnownYet: true },
    personAskedAt: { notKnownYet: true },
    botPause: { was: 'null' },
    runs: { notKnownYet: true },
  },
  after: [
    'create index contact_version_moment on contact_version (contact_id, position desc) where not is_latest',
    'create index contact_version_contacts on contact_version (owner, contact_id) where is_latest',
    'create index contact_version_absorbed on contact_version (absorbed_into) where absorbed_into is not null',
    'create index contact_version_positions on contact_version (owner, position)',
  ],
}
