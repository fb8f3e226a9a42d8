const moment = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const second = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium' })

/** Not a token, which `Date.parse` may take for a year. */
export const isInstant = (em: string): boolean => /^\d{4}-\d\d-\d\dT/.test(em) && !Number.isNaN(Date.parse(em))

/** '12/11/2026 14:32' */
export const momentName = (at: string): string => moment.format(Date.parse(at)).replace(', ', ' ')
export const momentWithSeconds = (at: string): string => second.format(Date.parse(at)).replace(', ', ' ')
