import { setOpeningHoursBody } from '@prosa/contracts/http/opening-hours'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { type OpeningHoursEvent, openingHours } from './opening-hours.ts'

const given = specify(openingHours)
const day = [{ from: '08:00', to: '18:00' }]
const hours = {
  timeZone: 'America/Sao_Paulo',
  week: [[], day, day, day, day, day, []],
  holidays: [{ date: '2026-12-25', name: 'Natal', intervals: [] }],
}
const set = (data = hours) => ({ type: 'SetOpeningHours', data }) as const
const wasSet = (data = hours): OpeningHoursEvent => ({ type: 'OpeningHoursSet', data })
const reply = (data: { isOn?: boolean; text?: string }) => ({ type: 'SetOutOfHoursReply', data }) as const
const turnedOn: OpeningHoursEvent = { type: 'OutOfHoursReplyTurnedOn', data: {} }
const turnedOff: OpeningHoursEvent = { type: 'OutOfHoursReplyTurnedOff', data: {} }
const written: OpeningHoursEvent = { type: 'OutOfHoursReplyWritten', data: { text: 'Voltamos já.' } }

describe('the hours of a business', () => {
  it('are set all at once, and once, however often it is asked', () => {
    given().when(set()).then(wasSet())
    given(wasSet()).when(set()).thenNothing()
    given(wasSet())
      .when(set({ ...hours, timeZone: 'America/Manaus' }))
      .then(wasSet({ ...hours, timeZone: 'America/Manaus' }))
  })
  it('have to be known before anything is answered out of them', () => {
    given()
      .when(reply({ isOn: true }))
      .thenRejected('opening_hours_not_set')
    given()
      .when(reply({ text: 'Voltamos já.' }))
      .then(written)
    given(wasSet())
      .when(reply({ isOn: true }))
      .then(turnedOn)
  })
  it('have an answer that is turned on, rewritten and turned off, each once', () => {
    given(wasSet(), turnedOn)
      .when(reply({ isOn: true }))
      .thenNothing()
    given(wasSet(), turnedOn)
      .when(reply({ text: 'Voltamos já.' }))
      .then(written)
    given(wasSet(), turnedOn, written)
      .when(reply({ isOn: true, text: 'Voltamos já.' }))
      .thenNothing()
    given(wasSet(), turnedOn)
      .when(reply({ isOn: false }))
      .then(turnedOff)
    given(wasSet(), turnedOn, turnedOff)
      .when(reply({ isOn: false }))
      .thenNothing()
    given(wasSet())
      .when(reply({ isOn: true, text: 'Voltamos já.' }))
      .then(written, turnedOn)
  })
})

describe('a week as it is written down', () => {
  const week = (...monday: { from: string; to: string }[]) => [[], monday, [], [], [], [], []]
  const faults = (body: object) => {
    const { error } = setOpeningHoursBody.safeParse({ ...hours, ...body })
    return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  }

  it.each([
    ['an end before its beginning', week({ from: '18:00', to: '08:00' }), /^week\.1\.0\.to: O fim precisa ser depois/],
    ['nothing between beginning and end', week({ from: '08:00', to: '08:00' }), /^week\.1\.0\.to: O fim/],
    [
      'hours that overlap, wherever they stand',
      week({ from: '13:00', to: '18:00' }, { from: '08:00', to: '13:01' }),
      /^week\.1\.0\.from: Este intervalo começa antes de terminar o das 08:00/,
    ],
    ['a time that no clock shows', week({ from: '8:00', to: '18:00' }), /^week\.1\.0\.from: Informe um horário/],
    [
      'more times than a day may have',
      week(...['08', '10', '12', '14', '16'].map((hour) => ({ from: `${hour}:00`, to: `${hour}:30` }))),
      /^week\.1: Um dia pode ter no máximo 4 intervalos/,
    ],
    ['no hours at all', week(), /^week: Informe o horário de pelo menos um dia/],
    ['six days', hours.week.slice(1), /^week: Informe os sete dias/],
  ])('is refused where it has %s, at its place', (_, wrong, sentence) =>
    expect(faults({ week: wrong })).toEqual([expect.stringMatching(sentence)]),
  )

  it('is refused with a zone that does not exist, and with a holiday twice, without a name or on no day', () => {
    expect(faults({ timeZone: 'America/Atlantida' })).toEqual([expect.stringMatching(/^timeZone: Este fuso/)])
    const [christmas] = hours.holidays
    expect(faults({ holidays: [christmas, { ...christmas, name: 'De novo' }] })).toEqual([
      'holidays.1.date: Este dia já está na lista.',
    ])
    expect(faults({ holidays: [{ ...christmas, name: ' ' }] })).toEqual(['holidays.0.name: Informe o nome do feriado.'])
    expect(faults({ holidays: [{ ...christmas, date: '2027-02-29' }] })).toEqual([
      'holidays.0.date: Informe a data do feriado.',
    ])
    const many = Array.from({ length: 101 }, (_, index) => ({
      ...christmas,
      date: new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10),
    }))
    expect(faults({ holidays: many })).toEqual([expect.stringMatching(/^holidays: Você pode guardar até 100/)])
  })

  it('is kept in the order of the clock, and ends at midnight where it says so', () => {
    const written = week({ from: '18:00', to: '00:00' }, { from: '08:00', to: '12:00' })
    expect(setOpeningHoursBody.parse({ ...hours, week: written }).week[1]).toEqual([
      { from: '08:00', to: '12:00' },
      { from: '18:00', to: '24:00' },
    ])
  })
})
