import { phone } from '@prosa/contracts/values/phone'

/** Digits of the phone number and of the LID. */
export interface Addresses {
  phone: string | null
  lid: string | null
}

/** 'L:2@lid' or 'N@s.whatsapp.net' → user part; null for anything else. */
const addressOf = (jid: string | null): Addresses => {
  const match = /^(\d+)(?:[:_]\d+)*@(lid|s\.whatsapp\.net)$/.exec(jid ?? '')
  return {
    phone: match?.[2] === 's.whatsapp.net' ? (phone.safeParse(match[1]).data ?? null) : null,
    lid: match?.[2] === 'lid' ? (match[1] ?? null) : null,
  }
}

export const addressesOf = (chatJid: string, alternateJid: string | null): Addresses => {
  const main = addressOf(chatJid)
  const other = addressOf(alternateJid)
  return { phone: main.phone ?? other.phone, lid: main.lid ?? other.lid }
}

/** WhatsApp prefers the LID since Baileys 7. */
export const jidOf = ({ phone, lid }: Addresses): string => (lid ? `${lid}@lid` : `${phone}@s.whatsapp.net`)

/** All addresses that WhatsApp may use. */
export const jidsOf = ({ phone, lid }: Addresses): string[] => [
  ...(lid ? [`${lid}@lid`] : []),
  ...(phone ? [`${phone}@s.whatsapp.net`] : []),
]
