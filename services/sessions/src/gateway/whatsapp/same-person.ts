import { canonicalPhone } from '@prosa/contracts/values/phone'
import { jidDecode } from '@whiskeysockets/baileys'

/** By kind of address, where companions that a business keeps on a server have kinds of their own. */
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

/** What WhatsApp has reported of which number a LID stands for. */
export interface AddressBook {
  /** From memory. */
  getPNForLID(lidJid: string): Promise<string | null>
  /** From memory, or else asked. */
  getLIDForPN(phoneJid: string): Promise<string | null>
}

/**
 * Whether two addresses are one person's: any devices of theirs, a number with or without its ninth digit, or a LID and the
 * number that it stands for. Groups and everything else are nobody's.
 */
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
