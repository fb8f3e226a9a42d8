import { streamName } from '@prosa/contracts/streams'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { ContactHandlers } from '../handlers.ts'
import { stepOf } from '../step-of.ts'
import type { Held } from './contact-directory.ts'
import type { ContactEvent } from './contact-state.ts'
import { type Contact, type ConversationStatus, isActive, partings } from './contact-state.ts'
import { type MergeHandlers, mergeContacts, settleMerge, wereSeparated } from './merge-process.ts'
import { findPassedNumber, passNumberOn } from './pass-number-on.ts'
import { type Person, personAt } from './person.ts'
import type { Addresses } from './whatsapp-address.ts'

export type AddressedCommand =
  | { type: 'AddContact'; data: { isTyped: boolean } }
  | { type: 'ReceiveFromContact'; data: { name: string | null } }
  | { type: 'NoteWriting'; data: Record<never, never> }
  | { type: 'IdentifyContact'; data: Record<never, never> }

export interface CommandedContact extends Person {
  state: Contact & { status: ConversationStatus }
  events: readonly ContactEvent[]
  position: Position | null
}

type Handlers = MergeHandlers & Pick<ContactHandlers, 'contactQueue'>

const maxAttempts = 10
/** Stored name: event ids derive from it. */
const storedStep = 'told before'

const giveCommand = (
  { contacts }: Pick<Handlers, 'contacts'>,
  id: string,
  { type, data }: AddressedCommand,
  about: Addresses & { separations: number },
  context: CommandContext,
) => {
  if (type === 'AddContact') return contacts(id, { type, data: { ...data, ...about } }, context)
  if (type === 'ReceiveFromContact') return contacts(id, { type, data: { ...data, ...about } }, context)
  if (type === 'IdentifyContact') return contacts(id, { type, data: about }, context)
  return contacts(id, { type, data: about }, context)
}

const joined = (addresses: readonly Addresses[]): Addresses => ({
  phone: addresses.find(({ phone }) => phone)?.phone ?? null,
  lid: addresses.find(({ lid }) => lid)?.lid ?? null,
})

type Holder = Held & { person: Person }

/** Releases an erased contact's addresses; true if there were any. */
const releaseErased = async (
  handlers: Handlers,
  tenant: string,
  holders: readonly Holder[],
  context: CommandContext,
) => {
  const dead = holders.filter(({ person }) => person.state.status === 'erased')
  for (const { address, contactId } of dead) await handlers.directory.release(tenant, contactId, address, context)
  return dead.length > 0
}

/** Interrupted merges, once each; true if any. */
const settleOnce = async (
  handlers: Handlers,
  tenant: string,
  holders: readonly Holder[],
  settled: Set<string>,
  context: CommandContext,
) => {
  const ids = holders
    .filter(({ contactId, person }) => contactId !== person.id || person.state.status === 'absorbed')
    .flatMap(({ contactId, person }) => [contactId, person.id])
    .filter((id) => !settled.has(id))
  for (const id of new Set(ids)) {
    settled.add(id)
    await settleMerge(handlers, tenant, id, stepOf(context, id))
  }
  return ids.length > 0
}

/** Adds the contact if needed. */
const findPerson = async (
  handlers: Handlers,
  tenant: string,
  addresses: Addresses,
  command: AddressedCommand,
  context: CommandContext,
): Promise<{ person: Person; addresses: Addresses }> => {
  const passed = await findPassedNumber(handlers, tenant, addresses)
  if (passed) {
    // The LID's holder may be new.
    const other = { phone: null, lid: passed.lid }
    const found = await findPerson(handlers, tenant, other, command, stepOf(context, 'other account'))
    const about = { ...other, separations: partings(found.person.state) }
    await giveCommand(handlers, found.person.id, command, about, stepOf(context, storedStep))
    if (!(await passNumberOn(handlers, tenant, passed, found.person, context))) return found
  }
  const settled = new Set<string>()
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const step = stepOf(context, 'find', String(attempt))
    const holders: Holder[] = await Promise.all(
      (await handlers.directory.claim(tenant, addresses, step)).map(async (held) => ({
        ...held,
        person: await personAt(handlers, tenant, held.contactId),
      })),
    )
    if (await settleOnce(handlers, tenant, holders, settled, step)) continue
    if (await releaseErased(handlers, tenant, holders, step)) continue
    if (holders.some(({ person }) => partings(person.state) > 0)) {
      // A separation returns addresses before it is recorded, a passed number afterwards: earlier reads may be outdated.
      const now = await handlers.directory.find(tenant, addresses)
      if (holders.some(({ contactId }, index) => now[index]?.contactId !== contactId)) continue
    }
    const [first, ...others] = holders
    const other = others.find(({ person }) => person.id !== first?.person.id)
    if (!first) throw new Error('a contact needs a phone or a LID')
    if (!other) return { person: first.person, addresses }
    const absent = holders.filter(({ person }) => person.state.status === 'absent')
    for (const { person, address } of absent)
      await giveCommand(handlers, person.id, command, { ...address, separations: 0 }, step)
    if (absent.length > 0) continue
    if (await wereSeparated(handlers, tenant, first.person, other.person)) {
      // Numbers pass on; LIDs do not.
      const { person } = holders.find(({ address }) => address.lid) ?? first
      const own = holders.filter((each) => each.person.id === person.id)
      return { person, addresses: joined(own.map(({ address }) => address)) }
    }
    await mergeContacts(handlers, tenant, [first.person, other.person], step)
  }
  throw new Error('the contacts of these addresses changed at each attempt')
}

/** Adds the contact if needed. An erased contact loses its claims: the person becomes a new one. Two holders are merged. */
export const commandContactAt = async (
  handlers: Handlers,
  tenant: string,
  addresses: Addresses,
  command: AddressedCommand,
  context: CommandContext,
): Promise<CommandedContact> => {
  const { directory, contactQueue } = handlers
  const known = directory.cachedHolder(tenant, addresses)
  if (known) {
    const outcome = await giveCommand(handlers, known, command, { ...addresses, separations: 0 }, context)
    if (outcome.ok && isActive(outcome.state))
      return { id: known, state: outcome.state, events: outcome.events, position: outcome.position }
  }
  // From here on, read the latest state.
  const exact: CommandContext = { ...context, asOf: undefined }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    // Avoids two contacts from a person's first messages.
    const found = await contactQueue.run(tenant, async () => {
      const step = stepOf(exact, 'attempt', String(attempt))
      const { person, addresses: own } = await findPerson(handlers, tenant, addresses, command, step)
      const separations = partings(person.state)
      return {
        id: person.id,
        own,
        outcome: await giveCommand(handlers, person.id, command, { ...own, separations }, exact),
      }
    })
    const { id, own, outcome } = found
    if (!outcome.ok || !isActive(outcome.state)) continue
    directory.cacheHolder(tenant, own, id)
    return { id, state: outcome.state, events: outcome.events, position: outcome.position }
  }
  throw new Error('every contact at these addresses was merged or erased meanwhile')
}

/** Adds no contact. */
export const peopleAt = async (
  { contacts, directory }: Pick<ContactHandlers, 'contacts' | 'directory'>,
  tenant: string,
  addresses: Addresses,
): Promise<Person[]> => {
  const held = await directory.find(tenant, addresses)
  const people = await Promise.all(held.map(({ contactId }) => personAt({ contacts }, tenant, contactId)))
  return [...new Map(people.map((person) => [person.id, person])).values()]
}

const isErasedAfter = async (
  store: ContactHandlers['store'],
  contactId: string,
  position: Position,
): Promise<boolean> => {
  for await (const page of store.readBack(streamName('contact', contactId))) {
    const erased = page.find(({ type }) => type === 'ContactErased')
    if (erased) return erased.position > position
    if (page.some((event) => event.position < position)) return false
  }
  return false
}

/** True if a holder of these addresses was erased after `position`: an arrival read again after a crash must not make the person a new contact. */
export const wasErasedSince = async (
  { directory, store }: Pick<ContactHandlers, 'directory' | 'store'>,
  tenant: string,
  addresses: Addresses,
  position: Position,
): Promise<boolean> => {
  if (directory.cachedHolder(tenant, addresses)) return false
  for (const contactId of await directory.findErasable(tenant, addresses))
    if (await isErasedAfter(store, contactId, position)) return true
  return false
}
