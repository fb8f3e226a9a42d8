import type { FlowTest } from '@prosa/contracts/flows/flow-document'
import { brazilianNumber } from '@prosa/contracts/values/answers/read-number'
import { yesOrNo } from '@prosa/contracts/values/answers/yes-or-no'
import { maximumReadLength } from '@prosa/contracts/values/text/readable-text'
import { expect, it, vi } from 'vitest'
import { doesHold } from './does-hold.ts'
import { textReader } from './text-reader.ts'

const holds = (test: FlowTest, resposta: string) =>
  doesHold(test, { resposta }, { isOpen: true, labelIds: [] }, textReader())
const variable = 'resposta'

it('compares texts without case, accents and blanks', () => {
  expect(holds({ kind: 'equals', variable, value: 'Pão de Açúcar' }, '  PAO  de acucar ')).toBe(true)
  expect(holds({ kind: 'contains', variable, value: 'ÇÃO' }, 'a promocao de hoje')).toBe(true)
  expect(holds({ kind: 'equals', variable: 'nobody_sets', value: 'x' }, 'x')).toBe(false)
})

it('compares with any of several texts, and with one of a flow of before', () => {
  const cakes = { kind: 'contains', variable, values: ['bolo', 'Torta', 'R$ 10,50'] } as const
  expect(
    ['quero BOLO', 'uma tórta', 'por R$ 10,50', 'pão'].map((text) =>
      holds({ ...cakes, values: [...cakes.values] }, text),
    ),
  ).toEqual([true, true, true, false])
  const equal = (values: string[], text: string) => holds({ kind: 'equals', variable, values }, text)
  expect([equal(['sim', 'claro'], 'Claro'), equal(['sim', 'claro'], 'claro que sim'), equal([], '')]).toEqual([
    true,
    false,
    false,
  ])
  expect(holds({ kind: 'equals', variable, value: 'x', values: ['y'] }, 'x')).toBe(false)
})

it('reads an answer once, however many conditions ask for it, and no more than its beginning', () => {
  const reader = textReader()
  const resposta = `${'é '.repeat(maximumReadLength / 2)}${'fim '.repeat(10_000)}`
  const normalize = vi.spyOn(String.prototype, 'normalize')
  try {
    for (let index = 0; index < 200; index++) {
      const test = { kind: index % 2 === 0 ? 'contains' : 'equals', variable, value: 'fim' } as const
      expect(doesHold(test, { resposta }, { isOpen: true, labelIds: [] }, reader)).toBe(false)
    }
    expect(normalize.mock.contexts.map((text) => String(text).length)).toEqual([maximumReadLength, 'fim'.length])
  } finally {
    normalize.mockRestore()
  }
})

it('finds a pattern as it is written, in linear time, and holds for none that is broken', () => {
  expect(holds({ kind: 'matches', variable, pattern: '^\\d{5}-?\\d{3}$' }, '01310-100')).toBe(true)
  expect(holds({ kind: 'matches', variable, pattern: '(x+x+)+y' }, 'x'.repeat(4096))).toBe(false)
  expect(holds({ kind: 'matches', variable, pattern: '(' }, '(')).toBe(false)
  expect(holds({ kind: 'matches', variable, pattern: '((a{900}){900}){900}' }, 'a'.repeat(4096))).toBe(false)
})

it.each([
  ['R$ 1.234,50', 1234.5],
  ['1.500', 1500],
  ['2,5', 2.5],
  ['2.5', 2.5],
  ['-3', -3],
  ['30 reais', 30],
  ['10%', 10],
  ['1.234.567,89', 1234567.89],
  ['dez', undefined],
  ['1,2,3', undefined],
  ['', undefined],
])('reads the number of %j', (text, number) => expect(brazilianNumber(text)).toBe(number))

it('compares numbers, and holds for none where there is none', () => {
  expect(holds({ kind: 'number', variable, comparison: 'above', value: 1000 }, 'R$ 1.234,50')).toBe(true)
  expect(holds({ kind: 'number', variable, comparison: 'below', value: 1000 }, 'pouco')).toBe(false)
})

it.each(['sim', 'Sim!', 's', 'claro', 'pode ser', 'ok', 'isso', '👍', '👍🏽', 'Com certeza', 'quero sim', 'Tá bom'])(
  '%j is a yes',
  (text) => expect(yesOrNo(text)).toBe('yes'),
)
it.each([
  'não',
  'nao',
  'N',
  'negativo',
  '👎',
  'acho que não',
  'quero não',
  'de jeito nenhum',
  'Nunca',
  'não, obrigado',
])('%j is a no', (text) => expect(yesOrNo(text)).toBe('no'))
it.each(['talvez', 'qual o preço?', '', 'amanhã'])('%j is neither', (text) => expect(yesOrNo(text)).toBeUndefined())
