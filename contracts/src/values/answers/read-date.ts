import { plainText } from '../text/plain-text.ts'

const months = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']
const monthNames = [
  ...['janeiro', 'fevereiro', 'marco', 'abril', 'maio', 'junho'],
  ...['julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro'],
]
const weekdays = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado']
const fromToday: Readonly<Record<string, number>> = {
  ...{ hoje: 0, amanha: 1, 'depois de amanha': 2, ontem: -1, anteontem: -2 },
}
/** Before a date: 'para o dia 27/11', 'na sexta'. */
const before = new Set(['para', 'pra', 'pro', 'o', 'a', 'no', 'na', 'em', 'e', 'neste', 'nesta', 'este', 'esta', 'dia'])

const numeric = /^(\d{1,2})[/.\- ](\d{1,2})(?:[/.\- ](\d{2}|\d{4}))?$/
const joined = /^(\d{2})(\d{2})(\d{4})$/
const spoken = /^(\d{1,2}|1o|primeiro) (?:de )?([a-z]{3,9})\.?(?: (?:de )?(\d{2}|\d{4}))?$/
const iso = /^(\d{4})-(\d{2})-(\d{2})$/
const weekday = /^([a-z]{5,7})(?:[- ]feira)?$/

const dayMs = 86_400_000
const firstYear = 1900
const yearsAhead = 100
/** '46' is 2046 in 2026, and '47' 1947. */
const yearsOfTwoDigitsAhead = 20

/** Undefined for a day that no calendar has. */
const dateOf = (year: number, month: number, day: number, today: string): string | undefined => {
  if (year < firstYear || year > yearOf(today) + yearsAhead || month < 1 || month > 12 || day < 1) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined
}

const yearOf = (date: string): number => Number(date.slice(0, 4))

const fullYear = (digits: string, today: string): number => {
  const year = Number(digits)
  if (digits.length === 4) return year
  const full = yearOf(today) - (yearOf(today) % 100) + year
  return full > yearOf(today) + yearsOfTwoDigitsAhead ? full - 100 : full
}

/** Without a year: the next such day, today included. */
const dated = (day: number, month: number, year: string | undefined, today: string): string | undefined => {
  if (year !== undefined) return dateOf(fullYear(year, today), month, day, today)
  for (let ahead = 0; ahead <= 8; ahead++) {
    const date = dateOf(yearOf(today) + ahead, month, day, today)
    if (date !== undefined && date >= today) return date
  }
  return undefined
}

const daysAfter = (today: string, days: number): string =>
  new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10)

/** The next one. Not today's: of that nobody knows which is meant. */
const nextWeekday = (name: string, today: string): string | undefined => {
  const at = weekdays.indexOf(name)
  const days = (at - new Date(Date.parse(today)).getUTCDay() + 7) % 7
  return at < 0 || days === 0 ? undefined : daysAfter(today, days)
}

const withoutWords = (plain: string): string => {
  const words = plain.split(' ')
  const at = words.findIndex((word) => !before.has(word))
  return words.slice(Math.max(0, at)).join(' ')
}

/**
 * '27/11', '27/11/26', '27 de novembro', 'amanhã', 'sexta' → '2026-11-27'. `today` is a date in the tenant's time zone. Undefined for
 * anything else, and for days before 1900 or a hundred years ahead.
 */
export const readDate = (text: string, today: string): string | undefined => {
  const plain = withoutWords(
    plainText(text.slice(0, 100).replaceAll('º', 'o'))
      .replace(/[.!?,]$/, '')
      .trim(),
  )
  const days = Object.hasOwn(fromToday, plain) ? fromToday[plain] : undefined
  if (days !== undefined) return daysAfter(today, days)
  const [, isoYear = '', isoMonth, isoDay] = iso.exec(plain) ?? []
  if (isoYear !== '') return dateOf(Number(isoYear), Number(isoMonth), Number(isoDay), today)
  const [, day, month, year] = numeric.exec(plain) ?? joined.exec(plain) ?? []
  if (day !== undefined) return dated(Number(day), Number(month), year, today)
  const [, spokenDay = '', name = '', spokenYear] = spoken.exec(plain) ?? []
  if (spokenDay !== '') {
    const at = name.length === 3 ? months.indexOf(name) : monthNames.indexOf(name)
    return dated(/^\d/.test(spokenDay) ? Number.parseInt(spokenDay, 10) : 1, at + 1, spokenYear, today)
  }
  return nextWeekday(weekday.exec(plain)?.[1] ?? '', today)
}

/** '2026-11-27' → '27/11/2026' */
export const shownDate = (stored: string): string => stored.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1')
