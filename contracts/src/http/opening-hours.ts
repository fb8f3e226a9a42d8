import { z } from 'zod'
import {
  maximumHolidayNameLength,
  maximumHolidays,
  maximumIntervals,
  maximumOutOfHoursLength,
} from '../values/lengths.ts'
import { defaultOutOfHoursText, holiday, type OpenInterval, openWeek } from '../values/time/opening-hours.ts'
import { defaultTimeZone, isTimeZone } from '../values/time/time-zone.ts'
import { endpoint } from './endpoint.ts'
import { ofMoment } from './past/moment.ts'

const wantedTime = 'Informe um horário, de 00:00 a 23:59.'
const time = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const isEnd = (text: string) => text === '24:00' || time.test(text)

const interval = z
  .object({
    from: z.string({ error: wantedTime }).regex(time, wantedTime),
    /** 00:00 is read as 24:00. */
    to: z
      .string({ error: wantedTime })
      .transform((text) => (text === '00:00' ? '24:00' : text))
      .pipe(z.string().refine(isEnd, wantedTime)),
  })
  .refine(({ from, to }) => !time.test(from) || !isEnd(to) || from < to, {
    path: ['to'],
    error: 'O fim precisa ser depois do início.',
  })

const byBeginning = (one: OpenInterval, other: OpenInterval) => (one.from < other.from ? -1 : 1)

/** Sorted and separate. */
const dayIntervals = z
  .array(interval)
  .max(maximumIntervals, `Um dia pode ter no máximo ${maximumIntervals} intervalos.`)
  .superRefine((intervals, { addIssue }) => {
    const ordered = intervals.map((each, index) => ({ ...each, index })).sort(byBeginning)
    for (const [order, { from, index }] of ordered.entries()) {
      const before = ordered[order - 1]
      if (before && from < before.to)
        addIssue({
          code: 'custom',
          path: [index, 'from'],
          message: `Este intervalo começa antes de terminar o das ${before.from}.`,
        })
    }
  })
  .transform((intervals) => intervals.toSorted(byBeginning))

const wantedDate = 'Informe a data do feriado.'

export const setOpeningHoursBody = z.object({
  timeZone: z
    .string({ error: 'Escolha o fuso horário.' })
    .refine(isTimeZone, 'Este fuso horário não existe no Brasil. Escolha um da lista.'),
  /** Sunday first. */
  week: z
    .array(dayIntervals)
    .length(7, 'Informe os sete dias da semana, a partir de domingo.')
    .refine((week) => week.some((day) => day.length > 0), 'Informe o horário de pelo menos um dia.'),
  holidays: z
    .array(
      z.object({
        date: z.iso.date(wantedDate),
        name: z
          .string({ error: 'Informe o nome do feriado.' })
          .trim()
          .min(1, 'Informe o nome do feriado.')
          .max(maximumHolidayNameLength, `O nome pode ter no máximo ${maximumHolidayNameLength} caracteres.`),
        intervals: dayIntervals,
      }),
    )
    .max(maximumHolidays, `Você pode guardar até ${maximumHolidays} feriados. Exclua os que já passaram.`)
    .superRefine((holidays, { addIssue }) => {
      for (const [index, { date }] of holidays.entries())
        if (holidays.findIndex((each) => each.date === date) < index)
          addIssue({ code: 'custom', path: [index, 'date'], message: 'Este dia já está na lista.' })
    })
    .transform((holidays) => holidays.toSorted((one, other) => (one.date < other.date ? -1 : 1)))
    .default([]),
})

export const setOutOfHoursReplyBody = z.object({
  isOn: z.boolean().optional(),
  text: z
    .string({ error: 'Escreva a mensagem.' })
    .trim()
    .min(1, 'Escreva a mensagem.')
    .max(maximumOutOfHoursLength, 'A mensagem pode ter no máximo 1.000 caracteres.')
    .optional(),
})

const outOfHoursReply = z.object({
  isOn: z.boolean(),
  /** `{nome}`: contact's first name; `{empresa}`: company. */
  text: z.string(),
})

export const openingHours = z.object({
  /** Until set nothing is sent. */
  isSet: z.boolean(),
  timeZone: z.string(),
  week: openWeek,
  holidays: z.array(holiday),
  reply: outOfHoursReply,
})

export const openingHoursEndpoints = {
  read: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/opening-hours',
    area: 'Conversas',
    summary: 'Os horários de atendimento, os feriados, o fuso horário e a resposta fora do horário; com em, como eram.',
    query: ofMoment,
    replies: { 200: openingHours },
  }),
  set: endpoint({
    service: 'contacts',
    method: 'PUT',
    path: '/api/opening-hours',
    area: 'Conversas',
    summary: 'Define os horários de atendimento, os feriados e o fuso horário.',
    body: setOpeningHoursBody,
    replies: { 200: openingHours },
  }),
  setReply: endpoint({
    service: 'contacts',
    method: 'PATCH',
    path: '/api/opening-hours/reply',
    area: 'Conversas',
    summary: 'Liga, desliga ou reescreve a resposta automática fora do horário.',
    body: setOutOfHoursReplyBody,
    replies: { 200: openingHours },
  }),
}

export const unsetOpeningHours: OpeningHoursShown = {
  isSet: false,
  timeZone: defaultTimeZone,
  week: [[], [], [], [], [], [], []],
  holidays: [],
  reply: { isOn: false, text: defaultOutOfHoursText },
}

export type OpeningHoursShown = z.infer<typeof openingHours>
