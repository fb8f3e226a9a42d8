import type { EventType } from '@prosa/contracts/events/all-events'
import { parseStream } from '@prosa/contracts/streams'
import { handlersOf, type Projection, type RowHandler } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { contactList } from '../projection.ts'
import type { ContactRow } from '../table.ts'
import { foldedState, shownState, type VersionRow, versionTable } from './table.ts'

/** Texts, and ticks, of which a screen reads those of its last messages. */
const withoutVersions: readonly string[] = [
  'MessageSent',
  'MessageDelivered',
  'MessageRead',
  'MessageFailed',
  'MessageEdited',
  'MessageDeleted',
  'ContactIdentified',
  'ContactNamed',
  'ContactRenamed',
] satisfies EventType[]

const withoutTexts = {
  name: null,
  whatsappName: null,
  givenName: null,
  phone: null,
  search: '',
  lastMessageKind: null,
  lastMessageLine: null,
  lastMessageSender: null,
  lastMessageStatus: null,
  lastMessageIsFlow: null,
} as const

/** As `contactList` folds it; undefined once erased. */
export const asListed = (row: VersionRow | undefined): ContactRow | undefined => {
  if (!row || row.serviceStatus === null) return undefined
  const { contactId, serviceStatus, ownWaitingSince, ownActivity, merged, ownLines, runs, lastMessageId } = row
  return {
    ...withoutTexts,
    ...shownState(row),
    id: contactId,
    tenant: row.tenant,
    serviceStatus,
    ownWaitingSince,
    ownActivity: ownActivity ?? row.lastActivity,
    merged: merged ?? [],
    ownLines,
    runs,
    lastMessageId,
  }
}

const contactOf = ({ stream }: Stored) => parseStream(stream).id

/** By the handler of the list. The same row: nothing changed. */
const after = (
  { row: fold }: RowHandler<ContactRow, Stored>,
  before: VersionRow | undefined,
  event: Stored,
  beside: VersionRow | undefined,
): VersionRow | undefined => {
  const listed = asListed(before)
  const row = fold(listed, event, asListed(beside))
  if (row === listed) return before
  const { position, metadata, revision } = event
  if (!row) return before && { ...before, serviceStatus: null, absorbedInto: null, position, at: metadata.recordedAt }
  if (metadata.tenant === null) return before
  const isLastMessage = row.lastMessagePlace === position
  return {
    ...shownState(row),
    ...foldedState(row),
    id: row.id,
    contactId: row.id,
    tenant: metadata.tenant,
    isLatest: true,
    position,
    at: metadata.recordedAt,
    serviceStatus: row.serviceStatus,
    lastMessageRevision: isLastMessage ? Number(revision) : (before?.lastMessageRevision ?? null),
  }
}

const unfolded = {
  ownWaitingSince: null,
  ownActivity: null,
  merged: null,
  ownLines: null,
  runs: null,
  lastMessageId: null,
}

/** The latest state, then its copy. */
const versionsBy = (handler: RowHandler<ContactRow, Stored>): readonly RowHandler<VersionRow, Stored>[] => [
  {
    key: handler.key,
    ...(handler.beside && { beside: handler.beside }),
    row: (row, event, beside) => after(handler, row, event, beside),
  },
  {
    key: ({ id }) => id,
    makes: true,
    beside: contactOf,
    row: (row, { id, position }, latest) =>
      row ?? (latest?.position === position ? { ...latest, ...unfolded, id, isLatest: false } : undefined),
  },
]

const versionsOf = Object.fromEntries(
  Object.keys(contactList.on)
    .filter((type) => !withoutVersions.includes(type))
    .map((type) => [
      type,
      handlersOf(contactList, { type } as Stored).flatMap((handler) => ('row' in handler ? versionsBy(handler) : [])),
    ]),
) as Projection<VersionRow>['on']

/** Every state of the contact list, without names and texts. An erased contact's remain, an erased tenant's go (docs/decisions/0082). */
export const contactVersions: Projection<VersionRow> = {
  name: 'contact-versions',
  version: 2,
  categories: ['contact', 'chat', 'flowRun', 'user'],
  table: versionTable,
  on: {
    ...versionsOf,
    UserErased: { purge: { column: 'tenant', value: contactOf } },
  },
}
