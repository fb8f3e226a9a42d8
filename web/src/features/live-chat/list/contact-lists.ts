import type { Contact } from '@prosa/contracts/http/live-chat'

/** One row a phone, the one with the latest activity; contacts without a phone are distinguished by id. Order is kept. */
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

/** True when nobody has accepted the contact for more than five minutes. */
export const waitsTooLong = (contact: Contact, now: number): boolean =>
  contact.serviceStatus === 'waiting' &&
  contact.waitingSince !== null &&
  now - Date.parse(contact.waitingSince) > longWaitMs
