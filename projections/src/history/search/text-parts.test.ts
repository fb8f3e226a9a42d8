import { describe, expect, it } from 'vitest'
import { codesIn, textParts } from './text-parts.ts'

const id = '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33'

describe('what a text names', () => {
  it('is codes, addresses and names of a pasted line, without its dates, times and prices', () => {
    const line =
      '12/11/2026, 14:32:10 Kiwify aprovou o pedido ABC1234 (R$ 97,00 por Pix) de Ana de Souza <ana@padaria.com.br> 7f1c8a52'
    expect(textParts(line)).toMatchObject({
      codes: ['ABC1234', '7f1c8a52'],
      shortCodes: ['7f1c8a52'],
      emails: ['ana@padaria.com.br'],
      names: ['Ana de Souza'],
      moments: [{ from: '2026-11-12T17:32:10.000Z', to: '2026-11-12T17:32:11.000Z' }],
    })
  })

  it('is a code where one word was typed, and a name as well', () => {
    expect(textParts('Souza')).toMatchObject({ codes: ['Souza'], names: ['Souza'] })
    expect(textParts(`“${id}”.`)).toMatchObject({ codes: [id] })
    expect(textParts(`order:${id}`)).toMatchObject({ codes: [`order:${id}`] })
  })

  it('is a name of few words as they were typed', () => {
    expect(textParts('josé da conceição')).toMatchObject({ codes: [], names: ['josé da conceição'] })
    expect(textParts('(11) 98877-6655').names).toEqual(['(11) 98877-6655'])
  })

  it('is nothing personal where codes alone are wanted', () => {
    expect(codesIn('Ana ana@padaria.com.br ABC1234')).toMatchObject({
      codes: ['ABC1234'],
      emails: [],
      names: [],
      words: '',
    })
  })

  it('is bounded, whatever was pasted', () => {
    const huge = `${'a1b2 '.repeat(5000)}${'x@y.z '.repeat(5000)}`
    const parts = textParts(huge)
    expect([parts.codes.length, parts.shortCodes.length, parts.names.length]).toEqual([1, 0, 0])
    const many = textParts(Array.from({ length: 500 }, (_, index) => `c${index}x1`).join(' '))
    expect(many.codes).toHaveLength(20)
    for (const hostile of [
      '@',
      '@@@@',
      "'; drop table account; --",
      '"\\',
      '🧨'.repeat(500),
      ':* & |',
      '%_%',
      '((((',
    ]) {
      const found = textParts(hostile)
      expect([hostile, found.codes.filter((code) => /['"%\\]/.test(code))]).toEqual([hostile, []])
    }
  })
})
