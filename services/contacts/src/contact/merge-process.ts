import { canonicalPhone } from '@prosa/contracts/values/phone'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { ContactHandlers } from '../handlers.ts'
import { stepOf } from '../step-of.ts'
import { addressesEver } from './addresses-ever.ts'
import { mergedFrom } from './contact.ts'
import type { ContactRefusal } from './contact-commands.ts'
import { isActive } from './contact-state.ts'
import type { Person } from './person.ts'
import type { Addresses } from './whatsapp-address.ts'

export type MergeHandlers = Pick<ContactHandlers, 'contacts' | 'directory' | 'store' | 'codec'>

/*
 * Two contacts that are one person, and back. Three streams and the directory change, one append each; after a crash anywhere, settling
 * goes on from what the streams say. `settle-on-contact-absorbed.ts` wakes it.
 *
 *   apart      1 mergeContacts    → ContactAbsorbed on the younger: its state is frozen
 *   absorbed   2 settleMerge      → ContactMerged on the survivor, whom its own merged contacts and addresses follow      → merged
 *                                   survivor merged meanwhile     → ContactAbsorbed into the next one                     → absorbed
 *                                   survivor separated or gone    → ContactRestored                                       → apart
 *   merged     3 separateContacts → ContactSeparated on the survivor, then ContactRestored                                → apart
 *   apart      2 settleMerge      → addresses return to the restored contact
 */

// 1. Apart

/** Includes absorbed contacts. */
export const wereSeparated = async (
  { contacts }: Pick<ContactHandlers, 'contacts'>,
  tenant: string,
  one: Person,
  other: Person,
): Promise<boolean> => {
  const all = [one.id, ...one.state.absorbed]
  const others = new Set([other.id, ...other.state.absorbed])
  for (const id of all) {
    const { separated } = await contacts.load(id, tenant)
    if (separated.some((each) => others.has(each))) return true
  }
  return false
}

/** Log order is the same for every process. */
const olderFirst = async ({ store }: MergeHandlers, one: Person, other: Person): Promise<[Person, Person]> => {
  const addedAt = async ({ id }: Person) => {
    for await (const [first] of store.read(`contact-${id}`)) if (first) return first.position
    throw new Error('a contact that is to be merged was never added')
  }
  const [a, b] = await Promise.all([addedAt(one), addedAt(other)])
  return a < b ? [one, other] : [other, one]
}

/** The older contact survives; both must have been added. */
export const mergeContacts = async (
  handlers: MergeHandlers,
  tenant: string,
  [one, other]: readonly [Person, Person],
  context: CommandContext,
): Promise<void> => {
  const [survivor, absorbed] = await olderFirst(handlers, one, other)
  const data = { into: survivor.id, from: null }
  await handlers.contacts(absorbed.id, { type: 'JoinContact', data }, stepOf(context, survivor.id))
  await settleMerge(handlers, tenant, absorbed.id, context)
}

// 2. Absorbed, or restored

const maxAttempts = 10

/**
 * Applies `ContactAbsorbed` (merge, freezes the state) and `ContactSeparated` (undo) to survivor and directory. Steps derive from the
 * streams alone and are idempotent.
 */
export const settleMerge = async (
  handlers: MergeHandlers,
  tenant: string,
  id: string,
  context: CommandContext,
): Promise<void> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (await settleNow(handlers, tenant, id, context)) return
  }
  throw new Error('two contacts that are being merged changed at each attempt')
}

/** False on a concurrent change: retry. */
const settleNow = async (
  handlers: MergeHandlers,
  tenant: string,
  id: string,
  context: CommandContext,
): Promise<boolean> => {
  const { contacts, directory } = handlers
  const known = await contacts.load(id, tenant)
  const { into, absorbed, status } = known
  if (status !== 'absorbed' || into === null) {
    for (const from of known.restoredFrom) await returnAddresses(handlers, tenant, { from, to: id }, context)
    return true
  }
  const other = await contacts.load(into, tenant)
  const knows = other.absorbed.includes(id)
  if (other.separated.includes(id) || (!isActive(other) && other.status !== 'absorbed' && !knows)) {
    await contacts(id, { type: 'RestoreContact', data: { from: into } }, stepOf(context, into))
    return false
  }
  if (other.status === 'absorbed' && other.into) {
    const data = { into: other.into, from: into }
    await contacts(id, { type: 'JoinContact', data }, stepOf(context, other.into))
    return false
  }
  // Erasing the survivor also erases this contact.
  if (!isActive(other)) return true
  const wasTaken = await wasAbsorbedByOneOf(handlers, tenant, id, other.absorbed)
  const merge = { absorbed: id, ...mergedFrom(known, wasTaken) }
  const merged = await contacts(into, { type: 'MergeContact', data: merge }, stepOf(context, id))
  if (!merged.ok || !merged.state.absorbed.includes(id)) return false
  for (const each of absorbed) {
    await contacts(each, { type: 'JoinContact', data: { into, from: id } }, stepOf(context, into))
    await settleMerge(handlers, tenant, each, context)
  }
  for (const each of await addressesEver(handlers, id))
    await directory.move(tenant, each, { from: id, to: into }, context)
  return true
}

const wasAbsorbedByOneOf = async (
  { contacts }: Pick<ContactHandlers, 'contacts'>,
  tenant: string,
  id: string,
  others: readonly string[],
): Promise<boolean> => {
  for (const each of others) if ((await contacts.load(each, tenant)).absorbed.includes(id)) return true
  return false
}

/** Except addresses of contacts still merged. */
const returnAddresses = async (
  { contacts, directory, ...log }: MergeHandlers,
  tenant: string,
  way: { from: string; to: string },
  context: CommandContext,
): Promise<void> => {
  const { absorbed } = await contacts.load(way.from, tenant)
  const still = absorbed.filter((each) => each !== way.to)
  const others = await Promise.all(still.map((each) => addressesEver(log, each)))
  const taken = new Set(others.flat().flatMap(({ phone, lid }) => [phone, lid]))
  for (const { phone, lid } of await addressesEver(log, way.to)) {
    const back = { phone: taken.has(phone) ? null : phone, lid: taken.has(lid) ? null : lid }
    await directory.restore(tenant, back, way, context)
  }
}

// 3. Merged

const plain = ({ phone, lid }: Addresses): string[] => [
  ...(phone ? [`phone ${canonicalPhone(phone)}`] : []),
  ...(lid ? [`lid ${lid}`] : []),
]

/** Excludes addresses of separated contacts. */
const addressesLeft = async (handlers: MergeHandlers, id: string, others: readonly string[]): Promise<Addresses> => {
  const theirs = new Set<string>()
  for (const other of others)
    for (const each of await addressesEver(handlers, other)) for (const address of plain(each)) theirs.add(address)
  const own = (await addressesEver(handlers, id)).reverse()
  const phone = own.find(({ phone }) => phone && !theirs.has(`phone ${canonicalPhone(phone)}`))?.phone ?? null
  const lid = own.find(({ lid }) => lid && !theirs.has(`lid ${lid}`))?.lid ?? null
  return { phone, lid }
}

/** Undoes a merge; the two are never merged automatically again. */
export const separateContacts = async (
  handlers: MergeHandlers,
  id: string,
  restored: string,
  context: CommandContext,
): Promise<{ ok: true; position: Position | null } | { ok: false; rejected: ContactRefusal }> => {
  const { contacts } = handlers
  const { tenant } = context
  if (!tenant) throw new Error('a contact without a tenant')
  // Contacts absorbed by the restored one must move first.
  await settleMerge(handlers, tenant, restored, stepOf(context, 'settle'))
  const { separated, absorbed } = await contacts.load(id, tenant)
  // Harmless alone: until restored, its addresses lead to the survivor.
  if (absorbed.includes(restored)) await returnAddresses(handlers, tenant, { from: id, to: restored }, context)
  const left = await addressesLeft(handlers, id, [restored, ...separated])
  const outcome = await contacts(id, { type: 'SeparateContact', data: { restored, ...left } }, context)
  if (!outcome.ok) return outcome
  const back = await contacts(restored, { type: 'RestoreContact', data: { from: id } }, stepOf(context, id))
  await settleMerge(handlers, tenant, restored, stepOf(context, 'separate'))
  return { ok: true, position: back.ok ? (back.position ?? outcome.position) : outcome.position }
}
