import { canonicalPhone } from '@prosa/contracts/values/phone'
import { jidDecode } from '@whiskeysockets/baileys'

/** Server-hosted companions of businesses have kinds of their own. */
const kinds: Record<string, 'phone' | 'lid'> = {
  's.whatsapp.net': 'phone',
  'c.us': 'phone',
  hosted: 'phone',
  lid: 'lid',
  'hosted.lid': 'lid',
}

const addressOf = (jid: string) => {
  const { user, server } = jidDecode(jid) ?? {}
  const kind = server && Object.hasOwn(kinds, server) ? kinds[server] : undefined
  return user && kind ? { kind, number: user, user: kind === 'phone' ? canonicalPhone(user) : user } : undefined
}

export interface AddressBook {
  getPNForLID(lidJid: string): Promise<string | null>
  /** From the cache, or asks WhatsApp. */
  getLIDForPN(phoneJid: string): Promise<string | null>
}

/** Ignores devices and the ninth digit, and maps LIDs; false for groups and all else. */
export const isSamePerson = async (one: string, other: string, book: AddressBook): Promise<boolean> => {
  const [a, b] = [addressOf(one), addressOf(other)]
  if (!a || !b) return false
  if (a.kind === b.kind) return a.user === b.user
  const [lid, phone] = a.kind === 'lid' ? [a, b] : [b, a]
  const phoneJid = await book.getPNForLID(`${lid.user}@lid`)
  if (phoneJid !== null) return addressOf(phoneJid)?.user === phone.user
  const lidJid = await book.getLIDForPN(`${phone.number}@s.whatsapp.net`)
  return lidJid !== null && addressOf(lidJid)?.user === lid.user
}
