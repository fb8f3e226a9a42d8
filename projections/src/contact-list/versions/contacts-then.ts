import type { Contact, ContactCounts, Queue } from '@prosa/contracts/http/live-chat'
import { contactId } from '@prosa/contracts/values/ids'
import { maxConnectionsRead, type Successor, successorsOf } from '@prosa/contracts/values/lines'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position, StreamFrom } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import type { Pool } from 'pg'
import { connections } from '../../connections/projection.ts'
import { findConnectionsEver } from '../../connections/queries.ts'
import { labels } from '../../labels/projection.ts'
import { foldEvents, type Log, readManyUpTo, readUpTo } from '../../moments/read-up-to.ts'
import { byName } from '../../moments/rows-then.ts'
import { mergedInto, shownContact } from '../merged-contacts.ts'
import { contactList } from '../projection.ts'
import type { ContactRow } from '../table.ts'
import { asListed } from './projection.ts'
import { countVersions, findAbsorbedVersions, findVersions, findVersionsOf, type Version } from './queries.ts'

export interface Past extends Log {
  pool: Pool
}

type EventsOf = (stream: string) => readonly Stored[]

/** Names from the whole of its own stream, and the last message with its tick from there on. */
const streamsOf = ({ contactId: id, lastMessagePlace, lastMessageRevision }: Version): StreamFrom[] => [
  { stream: `contact-${id}`, from: 0n },
  ...(lastMessagePlace === null || lastMessageRevision === null
    ? []
    : [{ stream: `chat-${id}`, from: BigInt(lastMessageRevision) }]),
]

/** What the fold of the list has of a contact's texts: names, number and the last message with its tick; and whom it was merged with. */
const withTexts = (version: Version, eventsOf: EventsOf): ContactRow => {
  const { contactId: id } = version
  const listed = asListed(version)
  if (!listed) throw new Error('an erased contact is not listed')
  const named = foldEvents(contactList, eventsOf(`contact-${id}`)).get(id)
  const base: [string, ContactRow][] = [[id, { ...listed, lastMessageId: null }]]
  const last = foldEvents(contactList, eventsOf(`chat-${id}`), base).get(id)
  return {
    ...listed,
    name: named?.name ?? null,
    whatsappName: named?.whatsappName ?? null,
    givenName: named?.givenName ?? null,
    phone: named?.phone ?? null,
    merged: named?.merged ?? [],
    lastMessageKind: last?.lastMessageKind ?? null,
    lastMessageLine: last?.lastMessageLine ?? null,
    lastMessageSender: last?.lastMessageSender ?? null,
    lastMessageStatus: last?.lastMessageStatus ?? null,
    lastMessageIsFlow: last?.lastMessageIsFlow ?? null,
  }
}

const labelStream = (tenant: string) => `label-${tenant}`

/** In order of name, as they existed then. */
const labelsIn = (events: readonly Stored[]): string[] => {
  const rows = foldEvents(labels, events)
  return [...rows.values()].toSorted(byName).map(({ id }) => id)
}

/** As `findOwnConnections` and `successorsOf` had them. */
const successorsThen = async ({ pool, ...log }: Past, tenant: string, moment: Position): Promise<Successor[]> => {
  const ids = await findConnectionsEver(pool, tenant)
  const streams = ids.map((id) => ({ stream: `connection-${id}`, from: 0n }))
  const eventsOf = await readManyUpTo(log, streams, moment)
  const rows = streams.flatMap(({ stream }) => [...foldEvents(connections, eventsOf(stream)).values()])
  const own = rows
    .filter(({ isRemoved, numbers }) => !isRemoved || (numbers ?? []).length > 0)
    .toSorted((one, other) =>
      one.isRemoved === other.isRemoved ? (one.addedAt < other.addedAt ? -1 : 1) : one.isRemoved ? -1 : 1,
    )
    .slice(-maxConnectionsRead)
  return successorsOf(
    own.map(({ id, isRemoved, line, numbers }) => ({
      connectionId: id,
      isRemoved,
      isOpen: line === 'open',
      numbers: numbers ?? [],
    })),
  )
}

const shownThen = async (
  past: Past,
  tenant: string,
  moment: Position,
  versions: readonly Version[],
  successors: readonly Successor[],
): Promise<Contact[]> => {
  const absorbed = await findAbsorbedVersions(
    past.pool,
    tenant,
    moment,
    versions.map(({ contactId }) => contactId),
  )
  const ofLabels = labelStream(tenant)
  const streams = [...versions, ...absorbed].flatMap(streamsOf)
  const eventsOf = await readManyUpTo(past, [...streams, { stream: ofLabels, from: 0n }], moment)
  const rowsOf = (all: readonly Version[]) => all.map((version) => withTexts(version, eventsOf))
  const [behind, existingLabels] = [rowsOf(absorbed), labelsIn(eventsOf(ofLabels))]
  // As the current list: between a separation's two events nobody is behind it.
  return rowsOf(versions).map((row) =>
    shownContact(row, row.merged.length > 0 ? mergedInto(row, behind) : [], existingLabels, successors),
  )
}

export interface ContactsThenAsked {
  tenant: string
  moment: Position
  queue?: Queue | undefined
  label?: string | undefined
  connectionId?: string | undefined
}

const lineOf = (connectionId: string | undefined, successors: readonly Successor[]) =>
  connectionId === undefined ? undefined : { connectionId, successors }

/** `findContacts` as of a position. Names and texts are decrypted with today's keys: erased ones are '[apagado]'. */
export const findContactsThen = async (
  past: Past,
  {
    connectionId,
    ...asked
  }: ContactsThenAsked & { after?: { sortKey: string; id: string } | undefined; limit: number },
): Promise<Contact[]> => {
  const { tenant, moment, label } = asked
  if (label !== undefined && !labelsIn(await readUpTo(past, labelStream(tenant), moment)).includes(label)) return []
  const successors = await successorsThen(past, tenant, moment)
  const versions = await findVersions(past.pool, { ...asked, line: lineOf(connectionId, successors) })
  return shownThen(past, tenant, moment, versions, successors)
}

/** `countContacts` as of a position. */
export const countContactsThen = async (
  past: Past,
  { connectionId, ...asked }: ContactsThenAsked,
): Promise<ContactCounts> => {
  const successors = connectionId === undefined ? [] : await successorsThen(past, asked.tenant, asked.moment)
  return countVersions(past.pool, { ...asked, line: lineOf(connectionId, successors) })
}

/** `findContact` as of a position: a contact that was merged by then gives its survivor. */
export const findContactThen = async (
  past: Past,
  tenant: string,
  moment: Position,
  id: string,
): Promise<Contact | undefined> => {
  const passed = new Set<string>()
  let next: string | null = id
  let found: Version | undefined
  while (next !== null) {
    // No survivor, as where two were absorbed by each other.
    if (passed.has(next)) return undefined
    passed.add(next)
    ;[found] = await findVersionsOf(past.pool, tenant, moment, [next])
    if (!found) return undefined
    next = found.absorbedInto
  }
  if (!found) return undefined
  const successors = await successorsThen(past, tenant, moment)
  return (await shownThen(past, tenant, moment, [found], successors))[0]
}

/** `requireContact` as of a position. */
export const requireContactThen = async (
  past: Past,
  tenant: string,
  moment: Position,
  id: string,
): Promise<Contact> => {
  const found = contactId.safeParse(id).success && (await findContactThen(past, tenant, moment, id))
  if (!found) throw refuse('contact_not_found')
  return found
}
