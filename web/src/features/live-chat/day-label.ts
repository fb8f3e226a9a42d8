const dayOfYear = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short' })
const dayOfOtherYear = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'long' })

const startOfDay = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()

/** How a day separator names a local day: 'Hoje', 'Ontem', 'sexta-feira' within the week, '12 de jan.', '12 de jan. de 2025'. */
export const dayLabel = (at: Date, now: Date): string => {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000)
  if (days === 0) return 'Hoje'
  if (days === 1) return 'Ontem'
  if (days > 1 && days < 7) return weekday.format(at)
  return (at.getFullYear() === now.getFullYear() ? dayOfYear : dayOfOtherYear).format(at)
}
