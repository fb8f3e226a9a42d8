import { describe, expect, it } from 'vitest'
import { menuChoice } from './menu-choice.ts'

const options = [
  { output: 'option_1', label: 'Bolo de chocolate', words: ['encomenda'] },
  { output: 'option_2', label: 'Pães', words: [] },
  { output: 'option_3', label: 'Falar com uma pessoa', words: ['atendente', 'humano'] },
] as const

const chosen = (
  text: string,
  of: Parameters<typeof menuChoice>[0] = options.map((o) => ({ ...o, words: [...o.words] })),
) => menuChoice(of, text)?.output

describe('an option is chosen', () => {
  it.each(['1', ' 1. ', '1️⃣', 'um', 'Uma', 'opção 1', 'quero a 1', 'a primeira', 'número um'])(
    'by its number: %s',
    (text) => expect(chosen(text)).toBe('option_1'),
  )
  it.each(['bolo de chocolate', 'BOLO DE CHOCOLATE!', 'chocolate', 'choc', 'Encomenda', 'encom'])(
    'by its text, a word of it, or the start of one: %s',
    (text) => expect(chosen(text)).toBe('option_1'),
  )
  it.each(['paes', 'Pães', 'PÃE', '2', 'dois'])('without accents: %s', (text) => expect(chosen(text)).toBe('option_2'))
  it.each(['quero falar com um atendente por favor', 'humano', 'pessoa', 'a última'])('within a sentence: %s', (text) =>
    expect(chosen(text)).toBe('option_3'),
  )
  it('by 🔟, where there are ten', () => {
    const ten = Array.from({ length: 10 }, (_, at) => ({ output: `option_${at + 1}`, label: `Item ${at}`, words: [] }))
    expect(chosen('🔟', ten as never)).toBe('option_10')
  })
  it('by its whole text before its number', () => {
    const sizes = [
      { output: 'option_1', label: '2 fatias', words: [] },
      { output: 'option_2', label: '4', words: [] },
      { output: 'option_3', label: 'Inteiro', words: [] },
      { output: 'option_4', label: 'Meio', words: [] },
    ] as never
    expect(chosen('4', sizes)).toBe('option_2')
    expect(chosen('2', sizes)).toBe('option_2')
    expect(chosen('2 fatias', sizes)).toBe('option_1')
  })
})

describe('nothing is chosen', () => {
  it.each(['', '   ', '👍', '0', '4', '99', 'p', 'pizza', 'quanto custa?', '1 ou 2', 'bolo e pães', 'x '.repeat(5000)])(
    'by %s',
    (text) => expect(chosen(text)).toBeUndefined(),
  )
  it('by what two options share', () => {
    const cakes = [
      { output: 'option_1', label: 'Bolo de nozes', words: [] },
      { output: 'option_2', label: 'Bolo de milho', words: [] },
    ] as never
    expect(chosen('bolo', cakes)).toBeUndefined()
    expect(chosen('milho', cakes)).toBe('option_2')
  })
})
