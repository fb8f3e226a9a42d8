import { plainText } from '../text/plain-text.ts'
import { maximumReadLength } from '../text/readable-text.ts'

const words: Readonly<Record<string, number>> = {
  ...{ zero: 0, um: 1, uma: 1, dois: 2, duas: 2, tres: 3, quatro: 4, cinco: 5, seis: 6, meia: 6, sete: 7, oito: 8 },
  ...{ nove: 9, dez: 10, onze: 11, doze: 12, treze: 13, catorze: 14, quatorze: 14, quinze: 15, vinte: 20, trinta: 30 },
}
/** 'Meia' alone is no number; 'meia dúzia' is six. */
const dozens: Readonly<Record<string, number>> = { 'uma duzia': 12, 'meia duzia': 6, 'duas duzias': 24 }

/** 'Dez ou doze', '3 e meio' are not one number. */
const joins = new Set(['e', 'ou', 'a', 'ate', 'meio', 'menos', 'mil', 'milhao', 'milhoes'])
const figures = /^([+-])?(\d{1,3}(?:\.\d{3}){1,3}|\d{1,12})(?:[,.](\d{1,4}))?$/
const isUnit = (word: string) => /^[a-z%]+$/.test(word) && !joins.has(word) && !Object.hasOwn(words, word)

/** `units` of 10^-scale: exact, as money needs it. */
export interface Decimal {
  units: bigint
  scale: number
}

/** { units: -1250n, scale: 2 } → '-12.50' */
export const decimalText = ({ units, scale }: Decimal): string => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`
  return units < 0n ? `-${text}` : text
}

/**
 * 'R$ 1.234,50' → '1234.50', '3 bolos' → '3', 'meia dúzia' → '6': at most twelve digits before the point and four behind it, as many as
 * were written. Undefined unless the text is one number, which a few words may follow.
 */
export const readNumber = (text: string): string | undefined => {
  const plain = plainText(text.slice(0, 200))
    .replace(/^r\$ ?/, '')
    .replace(/[.!]$/, '')
    .replace(/^([+-]) /, '$1')
  const dozen = Object.hasOwn(dozens, plain) ? dozens[plain] : undefined
  if (dozen !== undefined) return String(dozen)
  const [first = '', ...unitWords] = plain.split(' ')
  if (unitWords.length > 4 || !unitWords.every(isUnit)) return undefined
  if (Object.hasOwn(words, first)) return first === 'meia' ? undefined : String(words[first])
  const [, sign = '', whole, fraction = ''] = figures.exec(first.replace(/%$/, '')) ?? []
  if (whole === undefined) return undefined
  const units = BigInt(`${whole.replaceAll('.', '')}${fraction}`)
  return decimalText({ units: sign === '-' ? -units : units, scale: fraction.length })
}

/** Of what `readNumber` stores. */
export const decimalOf = (stored: string): Decimal | undefined => {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(stored) ?? []
  if (whole === undefined) return undefined
  const units = BigInt(`${whole}${fraction}`)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

const amount =
  /^(?:r\$)?\s*(?:([+-])\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,15})(?:[,.](\d{1,10}))?\s*(?:reais|real|%|anos?|unidades?)?[.!]?$/i

/** Of any text that conditions compare: 'R$ 1.234,50' → 1234.5, '1.500' → 1500, '2.5' → 2.5 */
export const brazilianNumber = (text: string): number | undefined => {
  const [, sign = '', whole, fraction = ''] = amount.exec(text.slice(0, maximumReadLength).trim().slice(0, 60)) ?? []
  if (whole === undefined) return undefined
  const value = Number(`${whole.replaceAll('.', '')}.${fraction || '0'}`)
  return sign === '-' ? -value : value
}
