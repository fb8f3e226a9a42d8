import { z } from 'zod'

/** '24:00' is the end of a day. */
export const clockTime = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/)
/** '2026-12-25'. */
export const calendarDay = z.iso.date()

/** `to` is exclusive, on the same day. */
export const openInterval = z.object({ from: clockTime, to: clockTime })

/** Sunday first; empty: closed. */
export const openWeek = z.array(z.array(openInterval)).length(7)

/** Overrides the weekday; empty: closed. */
export const holiday = z.object({ date: calendarDay, name: z.string(), intervals: z.array(openInterval) })

export type OpenInterval = z.infer<typeof openInterval>
export type Holiday = z.infer<typeof holiday>

export interface OpeningHours {
  timeZone: string
  /** Sunday first. */
  week: readonly (readonly OpenInterval[])[]
  holidays: readonly Holiday[]
}

export const defaultOutOfHoursText =
  'Olá, {nome}! Agora estamos fora do horário de atendimento. Sua mensagem ficou guardada, e respondemos assim que voltarmos.'
