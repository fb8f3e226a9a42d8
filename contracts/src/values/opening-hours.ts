import { z } from 'zod'

/** '08:00' to '23:59' of a day; '24:00' is its end. */
export const clockTime = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/)
/** A day of the calendar: '2026-12-25'. */
export const calendarDay = z.iso.date()

/** Open from the first minute on and no more at the second; both are of one day, so that `to` is later than `from`. */
export const openInterval = z.object({ from: clockTime, to: clockTime })

/** By day of the week, Sunday first; a day without intervals is closed. */
export const openWeek = z.array(z.array(openInterval)).length(7)

/** A day that is unlike others of the week: closed where it has no intervals. */
export const holiday = z.object({ date: calendarDay, name: z.string(), intervals: z.array(openInterval) })

export type OpenInterval = z.infer<typeof openInterval>
export type Holiday = z.infer<typeof holiday>

export interface OpeningHours {
  /** IANA's name. */
  timeZone: string
  /** Seven days, Sunday first. */
  week: readonly (readonly OpenInterval[])[]
  holidays: readonly Holiday[]
}

/** What is answered out of hours until the business has written something else. */
export const defaultOutOfHoursText =
  'Olá, {nome}! Agora estamos fora do horário de atendimento. Sua mensagem ficou guardada, e respondemos assim que voltarmos.'
