import type { Activity } from '@prosa/contracts/http/dashboard'
import { count, plural } from '../../lib/format/format.ts'

/** UTC, because a calendar day has no time zone. */
const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: 'UTC' })
const wholeDay = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC' })

/** '2026-11-16' → '16/11' */
export const shortDate = (day: string): string => dayAndMonth.format(Date.parse(day))

export const longDate = (day: string): string => wholeDay.format(Date.parse(day))

/** 42 → '42 s', 300 → '5 min', 4800 → '1 h 20 min', 180000 → '2 dias'. */
export const duration = (seconds: number): string => {
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return plural(Math.round(hours / 24), 'dia', 'dias')
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** Best unit for an axis up to `largestSeconds`, in seconds. */
export const durationUnit = (largestSeconds: number): number => {
  if (largestSeconds < 120) return 1
  if (largestSeconds < 2 * 3600) return 60
  return largestSeconds < 48 * 3600 ? 3600 : 86_400
}

/** '25% a mais que no período anterior' */
export const change = (now: number, before: number): string => {
  if (now === before) return 'Igual ao período anterior'
  if (before === 0) return 'Nenhum no período anterior'
  const percent = Math.max(1, Math.round((100 * Math.abs(now - before)) / before))
  return `${count(percent)}% a ${now > before ? 'mais' : 'menos'} que no período anterior`
}

export const waitSentence = ({ accepted, medianWaitSeconds }: Activity): string =>
  medianWaitSeconds === null
    ? 'Nenhuma conversa foi aceita no período.'
    : `Metade de ${plural(accepted, 'conversa aceita', 'conversas aceitas')} esperou até ${duration(medianWaitSeconds)}.`
