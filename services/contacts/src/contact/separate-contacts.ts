import { canonicalPhone } from '@prosa/contracts/values/phone'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import { stepOf } from '../step-of.ts'
import { addressesEver } from './addresses-ever.ts'
import type { ContactRefusal } from './contact-commands.ts'
import { type MergeHandlers, returnAddresses, settleMerge } from './settle-merge.ts'
import type { Addresses } from './whatsapp-address.ts'

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
  const { owner } = context
  if (!owner) throw new Error('a contact without an owner')
  // Contacts absorbed by the restored one must move first.
  await settleMerge(handlers, owner, restored, stepOf(context, 'settle'))
  const { separated, absorbed } = await contacts.load(id, owner)
  // Harmless alone: until restored, its addresses lead to the survivor.
  if (absorbed.includes(restored)) await returnAddresses(handlers, owner, { from: id, to: restored }, context)
  const left = await addressesLeft(handlers, id, [restored, ...separated])
  const outcome = await contacts(id, { type: 'SeparateContact', data: { restored, ...left } }, context)
  if (!outcome.ok) return outcome
  const back = await contacts(restored, { type: 'RestoreContact', data: { from: id } }, stepOf(context, id))
  await settleMerge(handlers, owner, restored, stepOf(context, 'separate'))
  return { ok: true, position: back.ok ? (back.position ?? outcome.position) : outcome.position }
}
