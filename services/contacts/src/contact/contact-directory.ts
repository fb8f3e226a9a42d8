import { canonicalPhone } from '@prosa/contracts/values/phone'
import { deriveId } from '@prosa/kernel/derive-id'
import { type CommandContext, commandHandler } from '@prosa/kernel/domain/command-handler'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { stepOf } from '../step-of.ts'
import { type ContactKeyCommand, contactKey } from './contact-key.ts'
import type { Addresses } from './whatsapp-address.ts'

/** The contact may have been merged or erased since. */
export interface Held {
  address: Addresses
  contactId: string
}

/** Maps a tenant's phones and LIDs to contacts. */
export interface ContactDirectory {
  /** Cached; another contact may hold them by now. */
  cachedHolder(owner: string, addresses: Addresses): string | undefined
  cacheHolder(owner: string, addresses: Addresses, contactId: string): void
  /** Omits unheld addresses. */
  find(owner: string, addresses: Addresses): Promise<Held[]>
  /** The holders and the latest that lost an address by erasure. */
  findErasable(owner: string, addresses: Addresses): Promise<string[]>
  /** For the holder of the others, or for a new contact that the caller must add. Several holders are the same person. */
  claim(owner: string, addresses: Addresses, context: CommandContext): Promise<Held[]>
  /** Only if the contact holds them. */
  release(owner: string, contactId: string, addresses: Addresses, context: CommandContext): Promise<void>
  /** Counts since the address was last released. */
  hasHeld(owner: string, address: Addresses, contactId: string): Promise<boolean>
  /** `to` never had them. */
  move(owner: string, addresses: Addresses, way: Way, context: CommandContext): Promise<void>
  /** `to` had them before. */
  restore(owner: string, addresses: Addresses, way: Way, context: CommandContext): Promise<void>
}

export interface Way {
  from: string
  to: string
}

type DirectoryPorts = Pick<Ports, 'store' | 'codec' | 'clock' | 'box'>

/** Number first: attendants type it. */
const single = ({ phone, lid }: Addresses): Addresses[] => [
  ...(phone ? [{ phone, lid: null }] : []),
  ...(lid ? [{ phone: null, lid }] : []),
]

/** The streams of addresses, named by fingerprint instead of number. */
const contactKeys = ({ store, codec, clock, box }: DirectoryPorts) => {
  const keys = commandHandler({
    store,
    codec,
    clock,
    service: 'contacts',
    category: 'contactKey',
    decider: contactKey,
    foreign: 'contact_not_found',
  })
  /** Omits the ninth digit of Brazilian numbers. */
  const keyOf = (owner: string, { phone, lid }: Addresses): string => {
    const form = phone ? `phone ${canonicalPhone(phone)}` : `lid ${lid}`
    return `${owner}:${box.fingerprint(`${owner} ${form}`, 'contact key')}`
  }
  const load = (owner: string, address: Addresses) => keys.load(keyOf(owner, address), owner)
  return {
    keyOf,
    load,
    async command(key: string, command: ContactKeyCommand, context: CommandContext) {
      const outcome = await keys(key, command, context)
      if (!outcome.ok) throw new Error('a contact key belongs to another tenant')
      return outcome.state
    },
    async find(owner: string, addresses: Addresses): Promise<Held[]> {
      const found = await Promise.all(
        single(addresses).map(async (address) => ({ address, contactId: (await load(owner, address)).contactId })),
      )
      return found.filter((each): each is Held => each.contactId !== null)
    },
    /** Derived from the address, so an interrupted claim continues; a release yields a new id. */
    async newContactId(owner: string, address: Addresses): Promise<string> {
      const key = keyOf(owner, address)
      const { releases } = await load(owner, address)
      return releases === 0 ? deriveId('contact', key) : deriveId('contact', key, releases)
    },
  }
}

export const contactDirectory = (ports: DirectoryPorts): ContactDirectory => {
  const { keyOf, load, command: commandKey, find, newContactId } = contactKeys(ports)
  /** Only a hint: the contact's state shows if it is outdated. */
  const holders = lruMap<string, string>(50_000)

  const commandEach = async (
    owner: string,
    addresses: Addresses,
    command: ContactKeyCommand,
    context: CommandContext,
  ) => {
    const step = stepOf(context, ...Object.values(command.data))
    for (const address of single(addresses)) {
      const key = keyOf(owner, address)
      await commandKey(key, command, step)
      holders.delete(key)
    }
  }

  return {
    cachedHolder(owner, addresses) {
      const found = new Set(single(addresses).map((address) => holders.get(keyOf(owner, address))))
      const [only] = found
      return found.size === 1 ? only : undefined
    },
    cacheHolder(owner, addresses, contactId) {
      for (const address of single(addresses)) holders.set(keyOf(owner, address), contactId)
    },
    find,
    async findErasable(owner, addresses) {
      const keys = await Promise.all(single(addresses).map((address) => load(owner, address)))
      const ids = keys.flatMap(({ contactId, released }) => [contactId, released])
      return [...new Set(ids.filter((id) => id !== null))]
    },
    async claim(owner, addresses, context) {
      const wanted = single(addresses)
      const [first] = wanted
      if (!first) throw new Error('a contact needs a phone or a LID')
      const held = await find(owner, addresses)
      let contactId = held[0]?.contactId ?? (await newContactId(owner, first))
      const claimed: Held[] = []
      for (const address of wanted) {
        const known = held.find((each) => each.address.phone === address.phone && each.address.lid === address.lid)
        if (!known) {
          const step = stepOf(context, contactId)
          const key = keyOf(owner, address)
          const state = await commandKey(key, { type: 'ClaimContactKey', data: { contactId } }, step)
          // Lost a race: the next address goes there too.
          contactId = state.contactId ?? contactId
        }
        claimed.push(known ?? { address, contactId })
      }
      return claimed
    },
    hasHeld: async (owner, address, contactId) => (await load(owner, address)).holders.includes(contactId),
    release: (owner, contactId, addresses, context) =>
      commandEach(owner, addresses, { type: 'ReleaseContactKey', data: { contactId } }, context),
    move: (owner, addresses, way, context) =>
      commandEach(owner, addresses, { type: 'MoveContactKey', data: way }, context),
    restore: (owner, addresses, way, context) =>
      commandEach(owner, addresses, { type: 'RestoreContactKey', data: way }, context),
  }
}
