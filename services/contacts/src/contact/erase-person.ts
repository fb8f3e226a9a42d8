import type { CommandContext, Outcome } from '@prosa/kernel/domain/command-handler'
import type { ContactHandlers } from '../handlers.ts'
import type { ContactRefusal } from './contact-commands.ts'
import type { Contact, ContactEvent } from './contact-state.ts'

/** Follows survivors; returns the last outcome. `forget-on-contact-erased` handles absorbed ones. */
export const erasePerson = async (
  { contacts }: Pick<ContactHandlers, 'contacts'>,
  contactId: string,
  context: CommandContext,
): Promise<Outcome<ContactEvent, Contact, ContactRefusal>> => {
  const erased = await contacts(contactId, { type: 'EraseContact', data: {} }, context)
  if (!erased.ok || !erased.state.into) return erased
  return erasePerson({ contacts }, erased.state.into, context)
}
