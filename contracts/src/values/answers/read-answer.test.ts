import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerTypes } from './answer-type.ts'
import { readAnswer, shownAnswer } from './read-answer.ts'

/** A Friday. */
const today = '2026-11-27'
const read = (type: (typeof answerTypes)[number], text: string) => readAnswer(type, { text }, today)

describe('a date', () => {
  it.each([
    ['27/11', '2026-11-27'],
    ['26/11', '2027-11-26'],
    ['5/1', '2027-01-05'],
    ['27/11/26', '2026-11-27'],
    ['27-11-2026', '2026-11-27'],
    ['27.11.2026.', '2026-11-27'],
    ['27 11 2026', '2026-11-27'],
    ['27112026', '2026-11-27'],
    ['2026-11-27', '2026-11-27'],
    ['15/03/85', '1985-03-15'],
    ['15/03/46', '2046-03-15'],
    ['15/03/47', '1947-03-15'],
    ['29/02', '2028-02-29'],
    ['dia 1º de dezembro', '2026-12-01'],
    ['27 de Novembro de 2026', '2026-11-27'],
    ['3 mar', '2027-03-03'],
    ['primeiro de maio', '2027-05-01'],
    ['hoje', '2026-11-27'],
    ['Amanhã!', '2026-11-28'],
    ['depois de amanhã', '2026-11-29'],
    ['ontem', '2026-11-26'],
    ['para sábado', '2026-11-28'],
    ['na segunda-feira', '2026-11-30'],
    ['quinta', '2026-12-03'],
  ])('%s is %s', (text, date) => expect(read('date', text)).toBe(date))
  it.each([
    ...['31/02', '29/02/2027', '0/1', '32/1', '1/13', '27/11/1899', '27/11/2127', '27', 'sexta', 'sexta que vem'],
    ...['27/11 às 15h', 'logo', '', ' ', '27/11/226', '9'.repeat(9999), '27 de novem', 'dia', 'constructor'],
  ])('none: %s', (text) => expect(read('date', text)).toBeUndefined())
})

describe('a number', () => {
  it.each([
    ['R$ 1.234,50', '1234.50'],
    ['1.500', '1500'],
    ['2,5', '2.5'],
    ['2.5', '2.5'],
    ['- 3', '-3'],
    ['-0', '0'],
    ['007', '7'],
    ['3 bolos de cenoura', '3'],
    ['10%', '10'],
    ['duas', '2'],
    ['Meia dúzia', '6'],
    ['1,5000', '1.5000'],
    ['999.999.999,99', '999999999.99'],
  ])('%s is %s', (text, number) => expect(read('number', text)).toBe(number))
  it.each([
    ...[
      'dez ou doze',
      '10 a 15',
      '15h',
      '1,2,3',
      '',
      'muitos',
      'meia',
      'vinte e um',
      '1e9',
      '0x10',
      'Infinity',
      '１２',
    ],
    ...['0,00005', '9'.repeat(13), '27/11', 'toString', '1.23.456'],
  ])('none: %s', (text) => expect(read('number', text)).toBeUndefined())
})

describe('a CPF or CNPJ', () => {
  it.each([
    ['529.982.247-25', '52998224725'],
    ['CPF: 529 982 247 25', '52998224725'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ])('%s is %s', (text, number) => expect(read('document', text)).toBe(number))
  it.each([
    '529.982.247-26',
    '111.111.111-11',
    '00000000000000',
    '11.222.333/0001-80',
    '12.ABC.345/01DE-36',
    '123',
    '',
  ])('none: %s', (text) => expect(read('document', text)).toBeUndefined())
})

describe('a telephone number', () => {
  it.each([
    ['(11) 98888-7777', '5511988887777'],
    ['11988887777', '5511988887777'],
    ['+55 11 98888 7777', '5511988887777'],
    ['5511988887777', '5511988887777'],
    ['011 3877-6655', '551138776655'],
    ['meu número é 11 98888-7777.', '5511988887777'],
    ['55 99123-4567', '5555991234567'],
    ['+351 912 345 678', '351912345678'],
  ])('%s is %s', (text, phone) => expect(read('phone', text)).toBe(phone))
  it.each(['98888-7777', '(10) 98888-7777', '12345678901234567', '+55 123', '', 'não tenho', '11 18888-7777'])(
    'none: %s',
    (text) => expect(read('phone', text)).toBeUndefined(),
  )
})

describe('an address', () => {
  it.each([
    ['Ana@Loja.com.br', 'ana@loja.com.br'],
    ['é o ana.souza+1@gmail.com.', 'ana.souza+1@gmail.com'],
    ['<ana@loja.com>', 'ana@loja.com'],
  ])('%s is %s', (text, email) => expect(read('email', text)).toBe(email))
  it.each([
    'ana@loja',
    'ana @ loja.com',
    'a@b.com ou c@d.com',
    '@',
    'ana..b@loja.com',
    '.a@loja.com',
    'ana@loja.com\0',
    '',
  ])('none: %s', (text) => expect(read('email', text)).toBeUndefined())
})

it('takes words for a text, a file for a file, and yes or no in any words for it', () => {
  expect(['  Rua A, 1 ', '', ' '].map((text) => read('text', text))).toEqual(['Rua A, 1', undefined, undefined])
  expect(['Claro!', '👎', 'talvez'].map((text) => read('yes_no', text))).toEqual(['sim', 'não', undefined])
  expect(readAnswer('file', { text: 'olha', file: 'Foto' }, today)).toBe('Foto')
  expect(read('file', 'nota.pdf')).toBeUndefined()
})

it('shows what it stores as people write it', () => {
  expect(shownAnswer('number', '1234567.50')).toBe('1.234.567,50')
  expect(shownAnswer('number', '-12')).toBe('-12')
  expect(shownAnswer('phone', '5511988887777')).toBe('(11) 98888-7777')
  expect(shownAnswer('document', '12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
  expect(shownAnswer('document', '52998224725')).toBe('529.982.247-25')
  expect(shownAnswer('date', '2026-11-27')).toBe('27/11/2026')
  expect(shownAnswer(undefined, '2026-11-27')).toBe('2026-11-27')
  for (const type of answerTypes) expect(shownAnswer(type, '[apagado]')).toBe('[apagado]')
})

const piece = fc.constantFrom(
  ...[
    '27',
    '/',
    '11',
    '2026',
    ' ',
    '-',
    '+55',
    '(11)',
    '98888',
    '7777',
    ',',
    '.',
    'R$',
    '@',
    'a',
    'loja.com',
    'amanhã',
  ],
  ...['5', '29982247', '\u0301', '\ud83d', '١٢', '\u202e', 'e', 'de', 'mar', '%', '\n', '0'],
)
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.tuple(piece, fc.integer({ min: 1, max: 20_000 })).map(([part, times]) => part.repeat(times)),
)
const anyDay = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const shapes = {
  number: /^-?\d{1,13}(\.\d{1,4})?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  phone: /^\d{8,15}$/,
  document: /^(\d{11}|[0-9A-Z]{12}\d{2})$/,
  email: /^[^\s@]+@[^\s@]+$/,
  yes_no: /^(sim|não)$/,
} as const

describe('any text at all', () => {
  it('is read as a value of its type or not at all, which is read as the same where it is shown', () => {
    fc.assert(
      fc.property(fc.constantFrom(...answerTypes), hostile, anyDay, (type, text, day) => {
        const value = readAnswer(type, { text }, day)
        expect(readAnswer(type, { text }, day)).toBe(value)
        if (value === undefined) return
        if (type in shapes) expect(value).toMatch(shapes[type as keyof typeof shapes])
        expect(readAnswer(type, { text: shownAnswer(type, value) }, day)).toBe(value)
      }),
      { numRuns: 2000 },
    )
  })

  it('comes back from each day that a calendar has', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (date, day) => {
        const [year = '', month, dayOfMonth] = date.split('-')
        expect(readAnswer('date', { text: shownAnswer('date', date) }, day)).toBe(date)
        const near = readAnswer('date', { text: `${dayOfMonth}/${month}` }, day) ?? ''
        expect(near >= day && near.slice(5) === date.slice(5)).toBe(true)
        const short = readAnswer('date', { text: `${dayOfMonth}/${month}/${year.slice(2)}` }, day)
        if (short !== undefined) expect(short.slice(2)).toBe(date.slice(2))
      }),
    )
  })
})
