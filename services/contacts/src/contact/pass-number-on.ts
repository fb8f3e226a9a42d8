import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { ContactHandlers } from '../handlers.ts'
import { stepOf } from '../step-of.ts'
import { isActive } from './contact-state.ts'
import { type Person, personAt } from './person.ts'
import type { Addresses } from './whatsapp-address.ts'

type Handlers = Pick<ContactHandlers, 'contacts' | 'directory'>

export interface PassedNumber {
  phone: string
  lid: string
  /** Tenant, and the contact named by the directory, possibly merged into it. */
  from: Person
  holderId: string
}

/** Another LID is another account. Undefined also if the contact has no LID. */
export const findPassedNumber = async (
  { contacts, directory }: Handlers,
  tenant: string,
  { phone, lid }: Addresses,
): Promise<PassedNumber | undefined> => {
  if (!phone || !lid) return undefined
  const [byPhone] = await directory.find(tenant, { phone, lid: null })
  if (!byPhone) return undefined
  const from = await personAt({ contacts }, tenant, byPhone.contactId)
  if (!isActive(from.state)) return undefined
  // The previous tenant has no number left.
  const { lid: known } = from.state
  if (known === null || known === lid) return undefined
  const [byLid] = await directory.find(tenant, { phone: null, lid })
  if (byLid && (await personAt({ contacts }, tenant, byLid.contactId)).id === from.id) return undefined
  return { phone, lid, from, holderId: byPhone.contactId }
}

/** The directory comes last, so an interrupted run restarts. False if that contact had the number before: an old report. */
export const passNumberOn = async (
  { contacts, directory }: Handlers,
  tenant: string,
  { phone, from, holderId }: PassedNumber,
  to: Person,
  context: CommandContext,
): Promise<boolean> => {
  const address = { phone, lid: null }
  if (await directory.hasHeld(tenant, address, to.id)) return false
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
  // If one was merged or erased meanwhile, the caller retries.
  if (passed.ok && taken.ok) await directory.move(tenant, address, { from: holderId, to: to.id }, context)
  return true
}
