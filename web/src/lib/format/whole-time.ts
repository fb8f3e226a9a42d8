const clockWithSeconds = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' })
const wholeMoment = new Intl.DateTimeFormat('pt-BR', {
  ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
})
const wholeDay = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', year: 'numeric' })

/** '12 de jan. de 2027' */
export const dayWithYear = (ms: number): string => wholeDay.format(ms)

/** '14:32:07' */
export const secondsTime = (instant: string): string => clockWithSeconds.format(Date.parse(instant))

/** '12/01/2027, 14:32:07' */
export const wholeTime = (instant: string): string => wholeMoment.format(Date.parse(instant))
