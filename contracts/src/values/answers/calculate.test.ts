import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate, variablesOfCalculation } from './calculate.ts'

const values = { a: '10,50', b: 'R$ 1.000', dois: 'duas', nada: '', texto: 'muitos', zero: '0' }

describe('a calculation', () => {
  it.each([
    ['{a} * 2 + 1', '22'],
    ['{b} / 3', '333.3333'],
    ['10 / 4', '2.5'],
    ['9,00 ÷ 2', '4.5'],
    ['1.234,50 + 1.000', '2234.5'],
    ['2 x 3 X 1.5', '9'],
    ['2 + 3 × (4 − 1)', '11'],
    ['-{a} - -1', '-9.5'],
    ['0,1 + 0,2', '0.3'],
    ['{dois} * {dois}', '4'],
    ['1 / 3 * 3', '0.9999'],
    ['0,0001 * 0,5', '0.0001'],
    ['{A}', '10.5'],
    ['2 - 2,0', '0'],
  ])('%s is %s', (expression, value) => expect(calculate(expression, values)).toEqual({ value }))

  it.each([
    ['10 / 3', 2, '3.33'],
    ['15,5 * 2', 2, '31.00'],
    ['2 / 3', 0, '1'],
    ['0,5 - 1', 0, '-1'],
    ['1 / 3', 4, '0.3333'],
    ['-0,001', 2, '0.00'],
  ])('%s with %i decimals is %s', (expression, decimals, value) =>
    expect(calculate(expression, values, decimals)).toEqual({ value }),
  )

  it.each([
    ['{a} / {zero}', { fault: 'division_by_zero' }],
    ['{a} / ({a} - {a})', { fault: 'division_by_zero' }],
    ['{texto} + 1', { fault: 'not_a_number', variable: 'texto' }],
    ['{nada} + 1', { fault: 'not_a_number', variable: 'nada' }],
    ['{constructor}', { fault: 'not_a_number', variable: 'constructor' }],
    ['999999999999 * 10', { fault: 'too_large' }],
    ['999999999999 + 0,9 + 0,1', { fault: 'too_large' }],
    ...[
      '',
      ' ',
      '1 +',
      '(1',
      '1)',
      '1 2',
      '1,23456',
      '1.2.3',
      'xy',
      'a',
      '2 ** 3',
      '{a',
      'alert(1)',
      `${'('.repeat(30)}1${')'.repeat(30)}`,
    ].map((expression) => [expression, { fault: 'syntax' }] as const),
    ['1'.repeat(201), { fault: 'syntax' }],
  ] as const)('%s has a fault', (expression, fault) => expect(calculate(expression, values)).toEqual(fault))

  it('names its variables before there are values', () => {
    expect(variablesOfCalculation('{a} * ({b} + {a})')).toEqual(['a', 'b'])
    expect(variablesOfCalculation('1 / ({a} - {a})')).toEqual(['a'])
    expect(variablesOfCalculation('{a} *')).toBeUndefined()
  })

  it('of any text ends, with a number as numbers are stored or a fault; sums and products are exact', () => {
    const piece = fc.constantFrom(
      '1',
      '2,5',
      '{a}',
      '{zero}',
      '{texto}',
      '+',
      '-',
      '*',
      '/',
      '(',
      ')',
      ' ',
      '999999999999',
      '0,0001',
      'é',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const found = calculate(pieces.join(''), values)
        if ('value' in found) expect(found.value).toMatch(/^-?\d{1,12}(\.\d{1,4})?$/)
        else expect(['syntax', 'not_a_number', 'division_by_zero', 'too_large']).toContain(found.fault)
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: -9999, max: 9999 }), (one, other) => {
        const about = { x: String(one), y: String(other) }
        expect(calculate('{x} + {y}', about)).toEqual({ value: String(one + other) })
        expect(calculate('{x} * {y}', about)).toEqual({ value: String(one * other).replace('-0', '0') })
      }),
    )
  })
})
