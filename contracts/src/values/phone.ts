import { z } from 'zod'

/** A number as WhatsApp writes it: country code and digits, without '+'. Brazilian ones are 55 and 10 or 11 digits. */
export const phone = z.string().regex(/^\d{8,15}$/)

/** A Brazilian number with its country code: 55, area code, 8 or 9 digits. */
export const brazilianPhone = z.string().regex(/^55[1-9]\d\d{8,9}$/)

export type Phone = z.infer<typeof phone>

/** '5511988776655' → '(11) 98877-6655'; numbers of other countries come back as '+' and their digits. */
export const formatPhone = (value: string): string => {
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(value)
  return brazilian ? `(${brazilian[1]}) ${brazilian[2]}-${brazilian[3]}` : `+${value}`
}

/**
 * The one form under which a Brazilian mobile is known, with or without the ninth digit that WhatsApp may leave out
 * (Baileys#2124): 55, area code and the last eight digits. Landlines (first digit 2 to 5) and other countries stay as they are.
 */
export const canonicalPhone = (value: string): string => {
  const nine = /^55(\d{2})9([6-9]\d{7})$/.exec(value)
  return nine ? `55${nine[1]}${nine[2]}` : value
}
