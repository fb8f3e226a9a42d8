import { phone } from '@prosa/contracts/values/phone'

/** A person's two addresses in WhatsApp: the phone number (digits) and the LID (digits of `…@lid`). */
export interface Addresses {
  phone: string | null
  lid: string | null
}

/** 'L:2@lid' or 'N@s.whatsapp.net' → the bare user part under its kind; anything else, or what is no phone number, is neither. */
const addressOf = (jid: string | null): Addresses => {
  const match = /^(\d+)(?:[:_]\d+)*@(lid|s\.whatsapp\.net)$/.exec(jid ?? '')
  return {
    phone: match?.[2] === 's.whatsapp.net' ? (phone.safeParse(match[1]).data ?? null) : null,
    lid: match?.[2] === 'lid' ? (match[1] ?? null) : null,
  }
}

/** Both addresses of a chat, from WhatsApp's primary and alternate jid. */
export const addressesOf = (chatJid: string, alternateJid: string | null): Addresses => {
  const main = addressOf(chatJid)
  const other = addressOf(alternateJid)
  return { phone: main.phone ?? other.phone, lid: main.lid ?? other.lid }
}

/** Where to write to somebody. The LID is WhatsApp's own way since Baileys 7; the number serves until it is known. */
export const jidOf = ({ phone, lid }: Addresses): string => (lid ? `${lid}@lid` : `${phone}@s.whatsapp.net`)

/** Every address under which WhatsApp may speak of somebody. */
export const jidsOf = ({ phone, lid }: Addresses): string[] => [
  ...(lid ? [`${lid}@lid`] : []),
  ...(phone ? [`${phone}@s.whatsapp.net`] : []),
]
