import { canonicalPhone } from '@prosa/contracts/values/phone'
import { deriveId } from '@prosa/kernel/derive-id'
import { type CommandContext, commandHandler } from '@prosa/kernel/domain/command-handler'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { type ContactKeyCommand, contactKey } from './contact-key.ts'
import { stepOf } from './step-of.ts'
import type { Addresses } from './whatsapp-address.ts'

/** One address and the contact that holds it; that may have been merged or erased since. */
export interface Held {
  address: Addresses
  contactId: string
}

/** Leads a phone or LID of one tenant to the one contact it belongs to. */
export interface ContactDirectory {
  /** The contact that held all of these addresses when they were last asked for here; others may hold them by now. */
  remembered(owner: string, addresses: Addresses): string | undefined
  remember(owner: string, addresses: Addresses, contactId: string): void
  /** Who holds these addresses; those that nobody holds are left out. */
  find(owner: string, addresses: Addresses): Promise<Held[]>
  /**
   * Who holds these addresses. Those that nobody holds are claimed for who holds the others, or for a new contact, which it is
   * the caller's part to add. Several holders are one person that was taken for several.
   */
  claim(owner: string, addresses: Addresses, context: CommandContext): Promise<Held[]>
  /** Takes these addresses from a contact that was erased; those that it does not hold stay with whoever has them. */
  release(owner: string, contactId: string, addresses: Addresses, context: CommandContext): Promise<void>
  /** Whether the contact has, or has had, this one address since it was last released. */
  hasHeld(owner: string, address: Addresses, contactId: string): Promise<boolean>
  /** Gives those that `from` holds to `to`, which never had them. */
  move(owner: string, addresses: Addresses, way: Way, context: CommandContext): Promise<void>
  /** Gives those that `from` holds back to `to`, which had them before. */
  restore(owner: string, addresses: Addresses, way: Way, context: CommandContext): Promise<void>
}

export interface Way {
  from: string
  to: string
}

/** The number first: it is what an attendant types. */
const single = ({ phone, lid }: Addresses): Addresses[] => [
  ...(phone ? [{ phone, lid: null }] : []),
  ...(lid ? [{ phone: null, lid }] : []),
]

/** Each address is a stream that the first contact claims; the name of the stream holds a fingerprint, not the number. */
export const contactDirectory = ({
  store,
  codec,
  clock,
  box,
}: Pick<Ports, 'store' | 'codec' | 'clock' | 'box'>): ContactDirectory => {
  const keys = commandHandler({
    store,
    codec,
    clock,
    category: 'contactKey',
    decider: contactKey,
    foreign: 'contact_not_found',
  })
  /** By key. What is remembered is only where to ask first: the state of the contact itself shows when that is outdated. */
  const holders = lruMap<string, string>(50_000)

  /** Brazilian numbers count without their ninth digit. */
  const keyOf = (owner: string, { phone, lid }: Addresses): string => {
    const form = phone ? `phone ${canonicalPhone(phone)}` : `lid ${lid}`
    return `${owner}:${box.fingerprint(`${owner} ${form}`, 'contact key')}`
  }

  const commandKey = async (key: string, command: ContactKeyCommand, context: CommandContext) => {
    const outcome = await keys(key, command, context)
    if (!outcome.ok) throw new Error('a contact key belongs to another tenant')
    return outcome.state
  }

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

  const find = async (owner: string, addresses: Addresses): Promise<Held[]> => {
    const found = await Promise.all(
      single(addresses).map(async (address) => ({
        address,
        contactId: (await keys.load(keyOf(owner, address), owner)).contactId,
      })),
    )
    return found.filter((each): each is Held => each.contactId !== null)
  }

  /** Follows from the address, so that a claim that was cut short is continued; an address that was released leads to another. */
  const newContactId = async (owner: string, address: Addresses): Promise<string> => {
    const key = keyOf(owner, address)
    const { releases } = await keys.load(key, owner)
    return releases === 0 ? deriveId('contact', key) : deriveId('contact', key, releases)
  }

  return {
    remembered(owner, addresses) {
      const found = new Set(single(addresses).map((address) => holders.get(keyOf(owner, address))))
      const [only] = found
      return found.size === 1 ? only : undefined
    },
    remember(owner, addresses, contactId) {
      for (const address of single(addresses)) holders.set(keyOf(owner, address), contactId)
    },
    find,
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
          // Somebody else may have been quicker: then the next address is for that contact too.
          contactId = state.contactId ?? contactId
        }
        claimed.push(known ?? { address, contactId })
      }
      return claimed
    },
    hasHeld: async (owner, address, contactId) =>
      (await keys.load(keyOf(owner, address), owner)).holders.includes(contactId),
    release: (owner, contactId, addresses, context) =>
      commandEach(owner, addresses, { type: 'ReleaseContactKey', data: { contactId } }, context),
    move: (owner, addresses, way, context) =>
      commandEach(owner, addresses, { type: 'MoveContactKey', data: way }, context),
    restore: (owner, addresses, way, context) =>
      commandEach(owner, addresses, { type: 'RestoreContactKey', data: way }, context),
  }
}
