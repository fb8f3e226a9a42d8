import { jidNormalizedUser } from '@whiskeysockets/baileys'

/** Numbers as contacts can have them: WhatsApp itself writes from `0@s.whatsapp.net`. */
const personJid = /^(\d{1,32}@lid|\d{8,15}@s\.whatsapp\.net)$/

/** A person's address without their device: `…@lid` or `…@s.whatsapp.net`; undefined for groups, channels and all else. */
export const personJidOf = (jid: string | null | undefined): string | undefined => {
  const person = typeof jid === 'string' ? jidNormalizedUser(jid) : ''
  return personJid.test(person) ? person : undefined
}
