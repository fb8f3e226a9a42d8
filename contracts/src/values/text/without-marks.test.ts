import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { withoutMarks } from './without-marks.ts'

/** Former implementation, quadratic. */
const plainly = (text: string, form: 'NFD' | 'NFKD') => text.normalize(form).replace(/\p{M}/gu, '')

describe.each(['NFD', 'NFKD'] as const)('a text without its marks (%s)', (form) => {
  it('is of every character what decomposing it leaves', () => {
    const block = 0x100
    for (let from = 0; from <= 0x10ffff; from += block) {
      const codes = Array.from({ length: block }, (_, index) => String.fromCodePoint(from + index))
      const text = codes.map((each) => `a\u0301${each}\u0323b`).join('')
      if (withoutMarks(text, form) !== plainly(text, form)) expect.fail(`differs in the block at ${from.toString(16)}`)
    }
  })

  it('is of every text what decomposing it leaves', () => {
    const hostile = fc.constantFrom(
      '\u0301',
      '\u0323',
      '\u0345',
      '\u3099',
      '\uff9e',
      '\u1161',
      '\uac00',
      'ﷺ',
      '\ud800',
      'Ç',
    )
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(hostile, { maxLength: 40 }).map((all) => all.join('')),
    )
    fc.assert(fc.property(anyText, (text) => withoutMarks(text, form) === plainly(text, form)))
  })

  it('never has a run of marks sorted', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    try {
      expect(withoutMarks(`a${'\u0301\u0323'.repeat(30_000)}b`, form)).toBe('ab')
      expect(normalize.mock.contexts.map(String)).toEqual(['ab'])
    } finally {
      normalize.mockRestore()
    }
  })
})
