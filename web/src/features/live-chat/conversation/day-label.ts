import { daysAgo, shortDay } from '../../../lib/format.ts'

const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'long' })

/** 'Hoje', 'Ontem', 'sexta-feira' within the week, '12 de jan.', '12 de jan. de 2025'. */
export const dayLabel = (at: Date, now: Date): string => {
  const days = daysAgo(at.getTime(), now.getTime())
  if (days === 0) return 'Hoje'
  if (days === 1) return 'Ontem'
  if (days > 1 && days < 7) return weekday.format(at)
  return shortDay(at.getTime(), now.getTime())
}
