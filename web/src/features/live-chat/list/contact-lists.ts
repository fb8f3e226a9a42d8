import type { Contact } from '@prosa/contracts/http/live-chat'

/** One row per phone, the latest activity wins; without a phone per id. Preserves the order. */
export const dedupeContacts = (contacts: Contact[]): Contact[] => {
  const latest = new Map<string, Contact>()
  for (const contact of contacts) {
    const key = contact.phone ?? contact.id
    const known = latest.get(key)
    if (!known || known.lastActivity < contact.lastActivity) latest.set(key, contact)
  }
  return contacts.filter((contact) => latest.get(contact.phone ?? contact.id) === contact)
}

const longWaitMs = 5 * 60_000

/** More than five minutes. */
export const waitsTooLong = (contact: Contact, now: number): boolean =>
  contact.serviceStatus === 'waiting' &&
  contact.waitingSince !== null &&
  now - Date.parse(contact.waitingSince) > longWaitMs
