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
  cachedHolder(tenant: string, addresses: Addresses): string | undefined
  cacheHolder(tenant: string, addresses: Addresses, contactId: string): void
  /** Omits unheld addresses. */
  find(tenant: string, addresses: Addresses): Promise<Held[]>
  /** The holders and the latest that lost an address by erasure. */
  findErasable(tenant: string, addresses: Addresses): Promise<string[]>
  /** For the holder of the others, or for a new contact that the caller must add. Several holders are the same person. */
  claim(tenant: string, addresses: Addresses, context: CommandContext): Promise<Held[]>
  /** Only if the contact holds them. */
  release(tenant: string, contactId: string, addresses: Addresses, context: CommandContext): Promise<void>
  /** Counts since the address was last released. */
  hasHeld(tenant: string, address: Addresses, contactId: string): Promise<boolean>
  /** `to` never had them. */
  move(tenant: string, addresses: Addresses, way: Way, context: CommandContext): Promise<void>
  /** `to` had them before. */
  restore(tenant: string, addresses: Addresses, way: Way, context: CommandContext): Promise<void>
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
  const keyOf = (tenant: string, { phone, lid }: Addresses): string => {
    const form = phone ? `phone ${canonicalPhone(phone)}` : `lid ${lid}`
    return `${tenant}:${box.fingerprint(`${tenant} ${form}`, 'contact key')}`
  }
  const load = (tenant: string, address: Addresses) => keys.load(keyOf(tenant, address), tenant)
  return {
    keyOf,
    load,
    async command(key: string, command: ContactKeyCommand, context: CommandContext) {
      const outcome = await keys(key, command, context)
      if (!outcome.ok) throw new Error('a contact key belongs to another tenant')
      return outcome.state
    },
    async find(tenant: string, addresses: Addresses): Promise<Held[]> {
      const found = await Promise.all(
        single(addresses).map(async (address) => ({ address, contactId: (await load(tenant, address)).contactId })),
      )
      return found.filter((each): each is Held => each.contactId !== null)
    },
    /** Derived from the address, so an interrupted claim continues; a release yields a new id. */
    async newContactId(tenant: string, address: Addresses): Promise<string> {
      const key = keyOf(tenant, address)
      const { releases } = await load(tenant, address)
      return releases === 0 ? deriveId('contact', key) : deriveId('contact', key, releases)
    },
  }
}

export const contactDirectory = (ports: DirectoryPorts): ContactDirectory => {
  const { keyOf, load, command: commandKey, find, newContactId } = contactKeys(ports)
  /** Only a hint: the contact's state shows if it is outdated. */
  const holders = lruMap<string, string>(50_000)

  const commandEach = async (
    tenant: string,
    addresses: Addresses,
    command: ContactKeyCommand,
    context: CommandContext,
  ) => {
    const step = stepOf(context, ...Object.values(command.data))
    for (const address of single(addresses)) {
      const key = keyOf(tenant, address)
      await commandKey(key, command, step)
      holders.delete(key)
    }
  }

  return {
    cachedHolder(tenant, addresses) {
      const found = new Set(single(addresses).map((address) => holders.get(keyOf(tenant, address))))
      const [only] = found
      return found.size === 1 ? only : undefined
    },
    cacheHolder(tenant, addresses, contactId) {
      for (const address of single(addresses)) holders.set(keyOf(tenant, address), contactId)
    },
    find,
    async findErasable(tenant, addresses) {
      const keys = await Promise.all(single(addresses).map((address) => load(tenant, address)))
      const ids = keys.flatMap(({ contactId, released }) => [contactId, released])
      return [...new Set(ids.filter((id) => id !== null))]
    },
    async claim(tenant, addresses, context) {
      const wanted = single(addresses)
      const [first] = wanted
      if (!first) throw new Error('a contact needs a phone or a LID')
      const held = await find(tenant, addresses)
      let contactId = held[0]?.contactId ?? (await newContactId(tenant, first))
      const claimed: Held[] = []
      for (const address of wanted) {
        const known = held.find((each) => each.address.phone === address.phone && each.address.lid === address.lid)
        if (!known) {
          const step = stepOf(context, contactId)
          const key = keyOf(tenant, address)
          const state = await commandKey(key, { type: 'ClaimContactKey', data: { contactId } }, step)
          // Lost a race: the next address goes there too.
          contactId = state.contactId ?? contactId
        }
        claimed.push(known ?? { address, contactId })
      }
      return claimed
    },
    hasHeld: async (tenant, address, contactId) => (await load(tenant, address)).holders.includes(contactId),
    release: (tenant, contactId, addresses, context) =>
      commandEach(tenant, addresses, { type: 'ReleaseContactKey', data: { contactId } }, context),
    move: (tenant, addresses, way, context) =>
      commandEach(tenant, addresses, { type: 'MoveContactKey', data: way }, context),
    restore: (tenant, addresses, way, context) =>
      commandEach(tenant, addresses, { type: 'RestoreContactKey', data: way }, context),
  }
}
