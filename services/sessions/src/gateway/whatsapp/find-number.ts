import { phone as phoneNumber } from '@prosa/contracts/values/phone'
import { isPnUser, jidDecode, type WASocket } from '@whiskeysockets/baileys'
import type { KnownNumber } from '../gateway.ts'

/** Baileys omits numbers that do not exist, and returns the LID only on request. */
export const findNumber = async (
  { onWhatsApp, signalRepository }: WASocket,
  phone: string,
): Promise<KnownNumber | undefined> => {
  const found = (await onWhatsApp(phone))?.find(({ exists }) => exists)
  if (!found) return undefined
  const known = isPnUser(found.jid) ? phoneNumber.safeParse(jidDecode(found.jid)?.user).data : undefined
  const lid = await signalRepository.lidMapping.getLIDForPN(found.jid)
  return { phone: known ?? phone, lid: jidDecode(lid ?? undefined)?.user ?? null }
}
