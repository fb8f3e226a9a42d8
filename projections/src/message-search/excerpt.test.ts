import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { wordsOf } from '../word-index.ts'
import { excerptOf } from './excerpt.ts'

const shown = (text: string, ...asked: string[]) =>
  excerptOf(text, asked.flatMap(wordsOf)).replaceAll('\uE000', '[').replaceAll('\uE001', ']')

describe('the excerpt of a message', () => {
  it.each([
    ['Bom dia, São José!', ['sao', 'jo'], 'Bom dia, [São] [José]!'],
    ['Cade\u0301 o pão?', ['CADÊ'], '[Cade\u0301] o pão?'],
    ['linha um\nlinha  dois', ['linha'], '[linha] um [linha] dois'],
    ['despão', ['pão'], 'despão'],
    ['pedido nº 1234-5678', ['1234'], 'pedido nº [1234]-5678'],
    ['\uE000falso\uE001 e verdadeiro', ['verdadeiro'], 'falso e [verdadeiro]'],
    ['𝓞𝓵𝓪 e olá', ['ola'], '[𝓞𝓵𝓪] e [olá]'],
  ])('marks words that begin as asked, as they were written: %s', (text, asked, expected) => {
    expect(shown(text, ...asked)).toBe(expected)
  })

  it('of a long text is the piece around the first word found, cut between words', () => {
    const text = `${'palavra '.repeat(100)}boleto ${'outra '.repeat(100)}boleto`
    const excerpt = shown(text, 'boleto')
    expect(excerpt).toMatch(/^…palavra .*\[boleto\] outra .*…$/)
    expect(excerpt.length).toBeLessThan(170)
  })

  it('of a very long text is looked for no further than it is shown, and in its beginning only', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    try {
      const many = shown('bolo '.repeat(13_000), 'bolo')
      expect(many.match(/\[bolo\]/g)?.length).toBeGreaterThan(20)
      expect(shown(`${'á '.repeat(30_000)}bolo`, 'bolo')).toMatch(/^á á .*…$/)
      const distinct = Array.from({ length: 13_000 }, (_, index) => `bolo${index}`).join(' ')
      normalize.mockClear()
      shown(distinct, 'bolo')
      expect(normalize.mock.calls.length).toBeLessThan(40)
    } finally {
      normalize.mockRestore()
    }
  })

  it('is a piece of the text, whatever the text and the words', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'Á', 'b', ' ', '\u0301', '😀', '\n', '\uE000'),
      maxLength: 400,
    })
    fc.assert(
      fc.property(letters, fc.constantFrom('a', 'b', 'ab', 'ba'), (text, asked) => {
        const excerpt = excerptOf(text, [asked])
        expect(excerpt.split('\uE000').length).toBe(excerpt.split('\uE001').length)
        const plainText = text
          .replace(/[\uE000\uE001]/g, '')
          .replace(/\s+/g, ' ')
          .trim()
        expect(plainText).toContain(excerpt.replace(/[\uE000\uE001]/g, '').replace(/^…|…$/g, ''))
        const found = wordsOf(text.replace(/[\uE000\uE001]/g, '')).some((word) => word.startsWith(asked))
        expect(excerpt.includes('\uE000')).toBe(found)
      }),
    )
  })
})
