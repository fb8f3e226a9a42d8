import { describe, expect, it } from 'vitest'
import {
  atWhen,
  dayAndTime,
  initials,
  minutesAndSeconds,
  phoneNumber,
  plural,
  relativeTime,
  waitedTime,
} from './format.ts'

const at = (day: number, hour: number, minute: number, second = 0) => new Date(2026, 10, day, hour, minute, second)
const now = at(21, 15, 0).getTime()
const ago = (then: Date) => relativeTime(then.toISOString(), now)

describe('how long somebody has waited', () => {
  it.each([
    [20, 'chegou agora'],
    [60, 'espera há 1 min'],
    [42 * 60 + 59, 'espera há 42 min'],
    [3 * 3600, 'espera há 3 h'],
    [26 * 3600, 'espera há 1 dia'],
    [50 * 3600, 'espera há 2 dias'],
    [-5, 'chegou agora'],
  ])('after %i s is %s', (seconds, words) => {
    const now = Date.parse('2026-11-21T12:00:00.000Z')
    expect(waitedTime(new Date(now - seconds * 1000).toISOString(), now)).toBe(words)
  })
})

describe('relative time', () => {
  it.each([
    ['Agora', at(21, 14, 59, 1)],
    ['1m', at(21, 14, 59, 0)],
    ['59m', at(21, 14, 0, 1)],
    ['14:00', at(21, 14, 0, 0)],
    ['15:01', at(20, 15, 1)],
    ['Ontem', at(20, 15, 0)],
    ['Ontem', at(19, 15, 1)],
    ['2 dias', at(19, 15, 0)],
    ['7 dias', at(14, 15, 0)],
    ['13/11/2026', at(13, 15, 0)],
  ])('reads %s', (words, then) => expect(ago(then)).toBe(words))

  it('reads Agora for what it cannot read and for what a fast clock puts into the future', () => {
    expect(relativeTime('nunca', now)).toBe('Agora')
    expect(ago(at(21, 15, 5))).toBe('Agora')
  })
})

describe('moments in sentences', () => {
  it('names today, yesterday and older days', () => {
    expect(atWhen(at(21, 14, 32).toISOString(), now)).toBe('às 14:32')
    expect(atWhen(at(20, 23, 59).toISOString(), now)).toBe('ontem às 23:59')
    expect(atWhen(at(2, 9, 5).toISOString(), now)).toBe('em 2 de nov. às 09:05')
    expect(dayAndTime(at(21, 14, 32).toISOString(), now)).toBe('hoje, 14:32')
    expect(dayAndTime(at(20, 0, 0).toISOString(), now)).toBe('ontem, 00:00')
    expect(dayAndTime(at(22, 9, 5).toISOString(), now)).toBe('amanhã, 09:05')
    expect(dayAndTime(at(24, 9, 5).toISOString(), now)).toBe('24 de nov., 09:05')
    expect(dayAndTime(at(2, 9, 5).toISOString(), now)).toBe('2 de nov., 09:05')
  })

  it('names the year of what happened in another one', () => {
    const longAgo = new Date(2024, 0, 12, 14, 32).toISOString()
    expect(atWhen(longAgo, now)).toBe('em 12 de jan. de 2024 às 14:32')
    expect(dayAndTime(longAgo, now)).toBe('12 de jan. de 2024, 14:32')
    const newYear = new Date(2027, 0, 1, 0, 30).getTime()
    expect(dayAndTime(new Date(2026, 11, 31, 23, 30).toISOString(), newYear)).toBe('ontem, 23:30')
  })
})

describe('people and counts', () => {
  it('takes at most two initials, in upper case, and the end of the phone for the nameless', () => {
    expect(initials('marina azevedo lima', null)).toBe('MA')
    expect(initials('Élcio', '5511988776655')).toBe('É')
    expect(initials('Carla (Escola Girassol)', null)).toBe('CE')
    expect(initials('🌻 Padaria - 24h', null)).toBe('P2')
    expect(initials('🌻', '5511988776655')).toBe('🌻')
    expect(initials('👨‍👩‍👧‍👦 🌻', '5511988776655')).toBe('👨‍👩‍👧‍👦')
    expect(initials('🇧🇷 🇦🇷', '5511988776655')).toBe('🇧🇷')
    expect(initials('  ', '5511988776655')).toBe('55')
    expect(initials(null, null)).toBe('')
  })

  it('writes Brazilian numbers as people do', () => {
    expect(phoneNumber('5511988776655')).toBe('(11) 98877-6655')
    expect(phoneNumber(null)).toBe('')
  })

  it('agrees in number', () => {
    expect(plural(1, 'mensagem', 'mensagens')).toBe('1 mensagem')
    expect(plural(0, 'mensagem', 'mensagens')).toBe('0 mensagens')
    expect(plural(1200, 'mensagem', 'mensagens')).toBe('1.200 mensagens')
  })

  it('counts down in minutes and seconds and stops at zero', () => {
    expect([120, 75, 9.2, 0, -3].map(minutesAndSeconds)).toEqual(['02:00', '01:15', '00:10', '00:00', '00:00'])
  })
})
