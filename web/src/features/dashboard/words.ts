import type { Dashboard } from '@prosa/contracts/http/dashboard'
import { localDay } from '@prosa/contracts/values/time/local-time'
import { count, plural } from '../../lib/format/format.ts'
import { serverNow } from '../../lib/http/server-clock.ts'

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

/** A part of a day is not compared with a whole one. */
const sinceYesterday = (_: number, before: number): string => `Ontem, o dia todo: ${count(before)}`

const isToday = ({ hours, to, timeZone }: Dashboard): boolean =>
  hours !== null && to === localDay(timeZone, new Date(serverNow() ?? Date.now()).toISOString())

/** The period as its sentences name it, and how its numbers compare. */
export const periodWords = (found: Dashboard) => {
  if (isToday(found)) return { inIt: 'hoje', change: sinceYesterday }
  return { inIt: found.hours === null ? 'no período' : 'no dia', change }
}

/** 9 → 'das 9h às 10h' */
export const hourSpan = (hour: number): string => `das ${hour}h às ${hour + 1}h`

export const waitSentence = (found: Dashboard): string => {
  const { accepted, medianWaitSeconds } = found.total
  return medianWaitSeconds === null
    ? `Nenhuma conversa foi aceita ${periodWords(found).inIt}.`
    : `Metade de ${plural(accepted, 'conversa aceita', 'conversas aceitas')} esperou até ${duration(medianWaitSeconds)}.`
}
