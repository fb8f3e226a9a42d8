import { z } from 'zod'

/** Country code and digits, no '+'. */
export const phone = z.string().regex(/^\d{8,15}$/)

/** 55, area code, 8 or 9 digits. */
export const brazilianPhone = z.string().regex(/^55[1-9]\d\d{8,9}$/)

export type Phone = z.infer<typeof phone>

/** '5511988776655' → '(11) 98877-6655'; other countries: '+' and digits. */
export const formatPhone = (value: string): string => {
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(value)
  return brazilian ? `(${brazilian[1]}) ${brazilian[2]}-${brazilian[3]}` : `+${value}`
}

/** Brazilian mobiles: 55, area code, eight digits, as WhatsApp may omit the ninth (Baileys#2124). Others are unchanged. */
export const canonicalPhone = (value: string): string => {
  const nine = /^55(\d{2})9([6-9]\d{7})$/.exec(value)
  return nine ? `55${nine[1]}${nine[2]}` : value
}
