import { formatPhone } from '../phone.ts'
import type { AnswerType } from './answer-type.ts'
import { readPhone, readTaxNumber, shownTaxNumber } from './numbers-of-people.ts'
import { readDate, shownDate } from './read-date.ts'
import { readNumber } from './read-number.ts'
import { yesOrNo } from './yes-or-no.ts'

/** What somebody wrote, and the name of a file that came with it. */
export interface Written {
  text: string
  file?: string | undefined
}

const address = /^[a-z0-9_%+'-]{1,64}(?:\.[a-z0-9_%+'-]{1,64}){0,8}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/

/** The only address of a short text: 'meu e-mail é ana@loja.com.br.' */
const readEmail = (text: string): string | undefined => {
  const words = text.slice(0, 500).trim().toLowerCase().split(/\s+/)
  const [found, second] = words.filter((word) => word.includes('@'))
  const email = found?.replace(/^[<("]+/, '').replace(/[>)",;.!]{1,9}$/, '')
  if (email === undefined || second !== undefined || email.length > 254 || words.length > 12) return undefined
  return address.test(email) ? email : undefined
}

const readers: Record<AnswerType, (written: Written, today: string) => string | undefined> = {
  text: ({ text }) => text.trim() || undefined,
  number: ({ text }) => readNumber(text),
  email: ({ text }) => readEmail(text),
  phone: ({ text }) => readPhone(text),
  document: ({ text }) => readTaxNumber(text),
  date: ({ text }, today) => readDate(text, today),
  yes_no: ({ text }) => {
    const answer = yesOrNo(text)
    return answer && (answer === 'yes' ? 'sim' : 'não')
  },
  file: ({ file }) => file,
}

/**
 * The value as its type stores it ('2026-11-27', '5511988887777', '1234.50'); undefined for an answer of another kind. `today` is a date in
 * the tenant's time zone. What is shown of a value is read as the same.
 */
export const readAnswer = (type: AnswerType, written: Written, today: string): string | undefined =>
  readers[type](written, today)

/** '1234.50' → '1.234,50' */
const shownNumber = (stored: string): string => {
  const [, sign = '', whole, fraction] = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(stored) ?? []
  if (whole === undefined) return stored
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
  return `${sign}${groups.join('.')}${fraction === undefined ? '' : `,${fraction}`}`
}

/** As people write it: '27/11/2026', '(11) 98888-7777', '1.234,50'. Other values are unchanged. */
export const shownAnswer = (type: AnswerType | undefined, stored: string): string => {
  switch (type) {
    case 'number':
      return shownNumber(stored)
    case 'phone':
      return /^\d{8,15}$/.test(stored) ? formatPhone(stored) : stored
    case 'document':
      return shownTaxNumber(stored)
    case 'date':
      return shownDate(stored)
    default:
      return stored
  }
}

/** Of values by name, each by its type. */
export const shownAnswers = (
  values: Readonly<Record<string, string>>,
  types: Readonly<Record<string, AnswerType>> = {},
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      shownAnswer(Object.hasOwn(types, name) ? types[name] : undefined, value),
    ]),
  )
