import { canonicalPhone } from '@prosa/contracts/values/phone'
import { withoutMarks } from '@prosa/contracts/values/text/without-marks'

/** 'José da Conceição' → 'jose da conceicao', '𝓙𝓸𝓼𝓮' → 'jose' */
export const plain = (text: string): string => withoutMarks(text, 'NFKD').toLowerCase()

const digits = (text: string): string => text.replace(/\D/g, '')

/** A Brazilian mobile with and without ninth digit. */
const phoneForms = (phone: string): string[] => {
  const short = canonicalPhone(phone)
  const mobile = /^(55\d{2})([6-9]\d{7})$/.exec(short)
  return mobile ? [short, `${mobile[1]}9${mobile[2]}`] : [phone]
}

export const searchable = (names: readonly (string | null)[], phone: string | null): string =>
  [...names.flatMap((name) => (name ? [plain(name)] : [])), ...(phone ? phoneForms(phone) : [])].join('\n')

/** Accepts '(11) 98877-6655'. */
export const searchText = (typed: string): string =>
  /\d/.test(typed) && /^[\d\s()+.-]+$/.test(typed) ? digits(typed) : plain(typed).trim()
