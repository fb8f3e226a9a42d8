import type { Contact } from '@prosa/contracts/http/live-chat'
import { contactId } from '@prosa/contracts/values/ids'
import { refuse } from '@prosa/kernel/http/problem'
import type { Pool } from 'pg'
import { findContact } from './queries.ts'

/** Refuses unknown, foreign and malformed ids alike. */
export const requireContact = async (pool: Pool, tenant: string, id: string): Promise<Contact> => {
  const found = contactId.safeParse(id).success && (await findContact(pool, tenant, id))
  if (!found) throw refuse('contact_not_found')
  return found
}
