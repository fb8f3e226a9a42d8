import { jidNormalizedUser } from '@whiskeysockets/baileys'

/** Excludes WhatsApp itself, `0@s.whatsapp.net`. */
const personJid = /^(\d{1,32}@lid|\d{8,15}@s\.whatsapp\.net)$/

/** Without device; undefined for groups, channels and all else. */
export const personJidOf = (jid: string | null | undefined): string | undefined => {
  const person = typeof jid === 'string' ? jidNormalizedUser(jid) : ''
  return personJid.test(person) ? person : undefined
}
