import type { OpeningHoursShown } from '@prosa/contracts/http/opening-hours'
import { isOpen, nextOpening } from '@prosa/contracts/values/time/is-open'

/** Sunday first, as stored. */
export const weekdays = [
  'Domingo',
  'Segunda-feira',
  'Terça-feira',
  'Quarta-feira',
  'Quinta-feira',
  'Sexta-feira',
  'Sábado',
] as const

/** Monday first, as displayed. */
export const shownWeekdays = [1, 2, 3, 4, 5, 6, 0] as const

/** A clock shows 24:00 as 00:00. */
export const shownEnd = (to: string): string => (to === '24:00' ? '00:00' : to)

/** In the business's time zone: 'Fechado agora. Abre segunda-feira, 23/11, às 08:00.' */
export const openingSentence = (hours: OpeningHoursShown, instant: string): string => {
  if (!hours.isSet) return 'Seus horários ainda não foram definidos.'
  if (isOpen(hours, instant)) return 'Aberto agora.'
  const next = nextOpening(hours, instant)
  if (next === null) return 'Fechado agora.'
  const { timeZone } = hours
  const opening = new Date(next)
  const day = opening.toLocaleDateString('pt-BR', { timeZone, weekday: 'long', day: '2-digit', month: '2-digit' })
  const time = opening.toLocaleTimeString('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
  return `Fechado agora. Abre ${day}, às ${time}.`
}
