import type { Contact, Queue } from '@prosa/contracts/http/live-chat'

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

export const queueOf = ({ serviceStatus, botSince }: Contact): Queue =>
  serviceStatus === 'waiting' && botSince !== null ? 'bot' : serviceStatus

/** Null while nobody waits for a person. */
export const waitsSince = (contact: Contact): string | null =>
  queueOf(contact) === 'waiting' ? (contact.personAskedAt ?? contact.waitingSince) : null

const longWaitMs = 5 * 60_000

/** More than five minutes. */
export const waitsTooLong = (contact: Contact, now: number): boolean => {
  const since = waitsSince(contact)
  return since !== null && now - Date.parse(since) > longWaitMs
}
