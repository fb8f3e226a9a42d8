import { refuse } from '@prosa/kernel/http/problem'
import { type Contact, type ConversationStatus, isActive } from '../contact/contact-state.ts'
import { type Person, personAt } from '../contact/person.ts'
import type { ContactHandlers } from '../handlers.ts'

/** Refuses unknown, foreign and malformed ids alike. */
export const knownContact = async (
  handlers: ContactHandlers,
  tenant: string,
  id: string,
): Promise<Person & { state: Contact & { status: ConversationStatus } }> => {
  const person = await personAt(handlers, tenant, id.toLowerCase())
  const { state } = person
  if (!isActive(state)) throw refuse('contact_not_found')
  return { ...person, state }
}
