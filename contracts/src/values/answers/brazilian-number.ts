import { maximumReadLength } from '../text/readable-text.ts'

const number =
  /^(?:r\$)?\s*(?:([+-])\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,15})(?:[,.](\d{1,10}))?\s*(?:reais|real|%|anos?|unidades?)?[.!]?$/i

/** 'R$ 1.234,50' → 1234.5, '1.500' → 1500, '2.5' → 2.5 */
export const brazilianNumber = (text: string): number | undefined => {
  const [, sign = '', whole, fraction = ''] = number.exec(text.slice(0, maximumReadLength).trim().slice(0, 60)) ?? []
  if (whole === undefined) return undefined
  const value = Number(`${whole.replaceAll('.', '')}.${fraction || '0'}`)
  return sign === '-' ? -value : value
}
