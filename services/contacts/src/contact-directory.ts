import { canonicalPhone } from '@prosa/contracts/values/phone'
import { type CommandContext, commandHandler } from '@prosa/kernel/command-handler'
import { deriveId } from '@prosa/kernel/derive-id'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { contactKey } from './contact-key.ts'
import type { Addresses } from './whatsapp-address.ts'

/** Leads a phone or LID of one tenant to the one contact it belongs to. */
export interface ContactDirectory {
  /** The id of the contact that holds one of these addresses, or a new one, claimed for all; adding it is the caller's part. */
  claim(owner: string, addresses: Addresses, context: CommandContext): Promise<string>
  /** Takes these addresses from a contact that was erased; those that it does not hold stay with whoever has them. */
  release(owner: string, contactId: string, addresses: Addresses, context: CommandContext): Promise<void>
}

/**
 * Each address is a stream that the first contact claims; the name of the stream holds a fingerprint, not the number.
 * Claims of one tenant are made one after the other, so that two messages of a new person at the same instant, one with
 * the LID and one with the number, lead to the same contact.
 */
export const contactDirectory = ({ store, codec, clock, box }: Ports): ContactDirectory => {
  const keys = commandHandler({
    store,
    codec,
    clock,
    category: 'contactKey',
    decider: contactKey,
    foreign: 'contact_not_found',
  })
  const queues = new Map<string, Promise<unknown>>()
  /** A claim changes hands only when its contact is erased, of which the contact itself tells: then it is released here too. */
  const holders = lruMap<string, string>(50_000)

  /** The number first: it is what an attendant types. Brazilian numbers count without their ninth digit. */
  const keyIds = (owner: string, { phone, lid }: Addresses): string[] => [
    ...(phone ? [`${owner}:${box.fingerprint(`${owner} phone ${canonicalPhone(phone)}`, 'contact key')}`] : []),
    ...(lid ? [`${owner}:${box.fingerprint(`${owner} lid ${lid}`, 'contact key')}`] : []),
  ]

  const holder = async (owner: string, ids: readonly string[]): Promise<string | undefined> => {
    for (const id of ids) {
      const contactId = holders.get(id) ?? (await keys.load(id, owner)).contactId
      if (contactId) return contactId
    }
    return undefined
  }

  /** Follows from the address, so that a claim that was cut short is continued; an address that was released leads to another. */
  const newContactId = async (owner: string, first: string): Promise<string> => {
    const { releases } = await keys.load(first, owner)
    return releases === 0 ? deriveId('contact', first) : deriveId('contact', first, releases)
  }

  const claimNow = async (owner: string, addresses: Addresses, context: CommandContext): Promise<string> => {
    const ids = keyIds(owner, addresses)
    const [first] = ids
    if (!first) throw new Error('a contact needs a phone or a LID')
    const contactId = (await holder(owner, ids)) ?? (await newContactId(owner, first))
    for (const id of ids) {
      if (holders.get(id)) continue
      const claimed = await keys(id, { type: 'ClaimContactKey', data: { contactId } }, context)
      if (!claimed.ok) throw new Error('a contact key belongs to another tenant')
      holders.set(id, claimed.state.contactId ?? contactId)
    }
    return contactId
  }

  const releaseNow = async (owner: string, contactId: string, addresses: Addresses, context: CommandContext) => {
    for (const id of keyIds(owner, addresses)) {
      const released = await keys(id, { type: 'ReleaseContactKey', data: { contactId } }, context)
      if (!released.ok) throw new Error('a contact key belongs to another tenant')
      holders.delete(id)
    }
  }

  const inTurn = <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    const turn = (queues.get(owner) ?? Promise.resolve()).then(work, work)
    queues.set(owner, turn)
    const leave = () => {
      if (queues.get(owner) === turn) queues.delete(owner)
    }
    turn.then(leave, leave)
    return turn
  }

  return {
    claim: (owner, addresses, context) => inTurn(owner, () => claimNow(owner, addresses, context)),
    release: (owner, contactId, addresses, context) =>
      inTurn(owner, () => releaseNow(owner, contactId, addresses, context)),
  }
}
