import { refuse } from '@prosa/kernel/http/problem'
import { type Contact, isThere, type Turn } from '../contact.ts'
import type { ContactHandlers } from '../handlers.ts'
import { type Person, personAt } from '../person.ts'

/** Refuses unknown, foreign and malformed ids alike. */
export const knownContact = async (
  handlers: ContactHandlers,
  owner: string,
  id: string,
): Promise<Person & { state: Contact & { status: Turn } }> => {
  const person = await personAt(handlers, owner, id.toLowerCase())
  const { state } = person
  if (!isThere(state)) throw refuse('contact_not_found')
  return { ...person, state }
}
