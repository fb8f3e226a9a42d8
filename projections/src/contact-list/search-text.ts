import { canonicalPhone } from '@prosa/contracts/values/phone'
import { withoutMarks } from '@prosa/contracts/values/without-marks'

/** 'José da Conceição' → 'jose da conceicao'; letters of other fonts count as plain ones: '𝓙𝓸𝓼𝓮' → 'jose' */
export const plain = (text: string): string => withoutMarks(text, 'NFKD').toLowerCase()

const digits = (text: string): string => text.replace(/\D/g, '')

/** Every way to write a number: a Brazilian mobile is found with and without its ninth digit. */
const phoneForms = (phone: string): string[] => {
  const short = canonicalPhone(phone)
  const mobile = /^(55\d{2})([6-9]\d{7})$/.exec(short)
  return mobile ? [short, `${mobile[1]}9${mobile[2]}`] : [phone]
}

/** What a contact is found by: its names without accents, and its numbers. */
export const searchable = (names: readonly (string | null)[], phone: string | null): string =>
  [...names.flatMap((name) => (name ? [plain(name)] : [])), ...(phone ? phoneForms(phone) : [])].join('\n')

/** What the user typed, in the same form; a number may be typed with its usual marks: '(11) 98877-6655'. */
export const searchText = (typed: string): string =>
  /\d/.test(typed) && /^[\d\s()+.-]+$/.test(typed) ? digits(typed) : plain(typed).trim()
