import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { isThere } from './contact.ts'
import type { ContactHandlers } from './handlers.ts'
import { type Person, personAt } from './person.ts'
import { stepOf } from './step-of.ts'
import type { Addresses } from './whatsapp-address.ts'

type Handlers = Pick<ContactHandlers, 'contacts' | 'directory'>

/** A number that WhatsApp reports with the LID of another account than its contact's. */
export interface PassedNumber {
  phone: string
  lid: string
  /** Who has the number so far, and the contact that the directory names for it, which goes on as that one. */
  from: Person
  holderId: string
}

/**
 * Whether the number of these addresses belongs to a contact with another LID. A LID is WhatsApp's name for an account, so the
 * number has passed to somebody else, or to a new account of the same person. Undefined too where the contact has no LID:
 * nothing can be concluded then.
 */
export const findPassedNumber = async (
  { contacts, directory }: Handlers,
  owner: string,
  { phone, lid }: Addresses,
): Promise<PassedNumber | undefined> => {
  if (!phone || !lid) return undefined
  const [byPhone] = await directory.find(owner, { phone, lid: null })
  if (!byPhone) return undefined
  const from = await personAt({ contacts }, owner, byPhone.contactId)
  if (!isThere(from.state)) return undefined
  // Once a number was passed on, whoever lost it has none, and the directory follows.
  const { lid: known } = from.state
  if (known === null || known === lid) return undefined
  const [byLid] = await directory.find(owner, { phone: null, lid })
  if (byLid && (await personAt({ contacts }, owner, byLid.contactId)).id === from.id) return undefined
  return { phone, lid, from, holderId: byPhone.contactId }
}

/**
 * Gives the number to the contact with the other LID, and both a notice of it; the directory comes last, so that whoever was
 * cut short begins again. Answers false where that contact had the number before: the report is of an earlier time.
 */
export const passNumberOn = async (
  { contacts, directory }: Handlers,
  owner: string,
  { phone, from, holderId }: PassedNumber,
  to: Person,
  context: CommandContext,
): Promise<boolean> => {
  const address = { phone, lid: null }
  if (await directory.hasHeld(owner, address, to.id)) return false
  const passed = await contacts(
    from.id,
    { type: 'PassNumberOn', data: { phone, to: to.id } },
    stepOf(context, 'passed', to.id),
  )
  const taken = await contacts(
    to.id,
    { type: 'TakeNumberOver', data: { from: from.id } },
    stepOf(context, 'taken', from.id),
  )
  // Merged or erased meanwhile: it is looked at again.
  if (passed.ok && taken.ok) await directory.move(owner, address, { from: holderId, to: to.id }, context)
  return true
}
