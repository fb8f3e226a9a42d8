import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { addressesEver } from './addresses-ever.ts'
import { isThere } from './contact.ts'
import type { ContactHandlers } from './handlers.ts'
import type { Person } from './person.ts'
import { stepOf } from './step-of.ts'

export type MergeHandlers = Pick<ContactHandlers, 'contacts' | 'directory' | 'store' | 'codec'>

const maxAttempts = 10

/**
 * Brings the contact behind which another stands, and the addresses of both, to what was decided in the streams of the two:
 * `ContactAbsorbed` decides that one stands behind the other, and freezes what it was; `ContactSeparated` takes that back. Every
 * step follows from the streams alone and is harmless to repeat, whoever was cut short in the middle of it.
 */
export const settleMerge = async (
  handlers: MergeHandlers,
  owner: string,
  id: string,
  context: CommandContext,
): Promise<void> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (await settleNow(handlers, owner, id, context)) return
  }
  throw new Error('two contacts that are being merged never came to rest')
}

/** False when something changed meanwhile and it must be looked at again. */
const settleNow = async (
  handlers: MergeHandlers,
  owner: string,
  id: string,
  context: CommandContext,
): Promise<boolean> => {
  const { contacts, directory } = handlers
  const { into, turn, absorbed, status, ...known } = await contacts.load(id, owner)
  if (status !== 'absorbed' || into === null) {
    for (const from of known.restoredFrom) await giveBack(handlers, owner, { from, to: id }, context)
    return true
  }
  const other = await contacts.load(into, owner)
  const knows = other.absorbed.includes(id)
  if (other.separated.includes(id) || (!isThere(other) && other.status !== 'absorbed' && !knows)) {
    await contacts(id, { type: 'RestoreContact', data: { from: into } }, stepOf(context, into))
    return false
  }
  if (other.status === 'absorbed' && other.into) {
    const data = { into: other.into, from: into }
    await contacts(id, { type: 'JoinContact', data }, stepOf(context, other.into))
    return false
  }
  // Erased after the merge: that erases this one too.
  if (!isThere(other)) return true
  const { phone, lid, name, givenName, labels, attendantId } = known
  const wasTaken = await hasStoodBehindOneOf(handlers, owner, id, other.absorbed)
  const merge = {
    absorbed: id,
    phone,
    lid,
    name,
    givenName,
    attendantId,
    // As the turn, they went to that one, where some may have been taken off since.
    labels: wasTaken ? [] : labels,
    turn: wasTaken ? 'resolved' : (turn ?? 'resolved'),
  } as const
  const merged = await contacts(into, { type: 'MergeContact', data: merge }, stepOf(context, id))
  if (!merged.ok || !merged.state.absorbed.includes(id)) return false
  for (const each of absorbed) {
    await contacts(each, { type: 'JoinContact', data: { into, from: id } }, stepOf(context, into))
    await settleMerge(handlers, owner, each, context)
  }
  for (const each of await addressesEver(handlers, id))
    await directory.move(owner, each, { from: id, to: into }, context)
  return true
}

/** Then its turn went to that one, and was attended there or goes on with it. */
const hasStoodBehindOneOf = async (
  { contacts }: Pick<ContactHandlers, 'contacts'>,
  owner: string,
  id: string,
  others: readonly string[],
): Promise<boolean> => {
  for (const each of others) if ((await contacts.load(each, owner)).absorbed.includes(id)) return true
  return false
}

/** For a separation: what the restored contact had before it was merged, and none of the others that are still merged has. */
export const giveBack = async (
  { contacts, directory, ...log }: MergeHandlers,
  owner: string,
  way: { from: string; to: string },
  context: CommandContext,
): Promise<void> => {
  const { absorbed } = await contacts.load(way.from, owner)
  const still = absorbed.filter((each) => each !== way.to)
  const others = await Promise.all(still.map((each) => addressesEver(log, each)))
  const taken = new Set(others.flat().flatMap(({ phone, lid }) => [phone, lid]))
  for (const { phone, lid } of await addressesEver(log, way.to)) {
    const back = { phone: taken.has(phone) ? null : phone, lid: taken.has(lid) ? null : lid }
    await directory.restore(owner, back, way, context)
  }
}

/** Whether an attendant separated these two, or contacts that stand behind them, as different people. */
export const wereSeparated = async (
  { contacts }: Pick<ContactHandlers, 'contacts'>,
  owner: string,
  one: Person,
  other: Person,
): Promise<boolean> => {
  const all = [one.id, ...one.state.absorbed]
  const others = new Set([other.id, ...other.state.absorbed])
  for (const id of all) {
    const { separated } = await contacts.load(id, owner)
    if (separated.some((each) => others.has(each))) return true
  }
  return false
}

/** The one that was added first; the log's order is the same for everybody. */
const olderFirst = async ({ store }: MergeHandlers, one: Person, other: Person): Promise<[Person, Person]> => {
  const addedAt = async ({ id }: Person) => {
    for await (const [first] of store.read(`contact-${id}`)) if (first) return first.position
    throw new Error('a contact that is to be merged was never added')
  }
  const [a, b] = await Promise.all([addedAt(one), addedAt(other)])
  return a < b ? [one, other] : [other, one]
}

/** Two contacts turned out to be one person: the older goes on for both. Both must have been added. */
export const mergeContacts = async (
  handlers: MergeHandlers,
  owner: string,
  [one, other]: readonly [Person, Person],
  context: CommandContext,
): Promise<void> => {
  const [survivor, absorbed] = await olderFirst(handlers, one, other)
  const data = { into: survivor.id, from: null }
  await handlers.contacts(absorbed.id, { type: 'JoinContact', data }, stepOf(context, survivor.id))
  await settleMerge(handlers, owner, absorbed.id, context)
}
