import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { plainText } from '@prosa/contracts/values/text/plain-text'

type Option = FlowNodeOf<'menu'>['data']['options'][number]

const numbers: Readonly<Record<string, number>> = {
  ...{ um: 1, uma: 1, dois: 2, duas: 2, tres: 3, quatro: 4, cinco: 5, seis: 6, sete: 7, oito: 8, nove: 9, dez: 10 },
  ...{ primeira: 1, primeiro: 1, segunda: 2, segundo: 2, terceira: 3, terceiro: 3, ultima: -1, ultimo: -1 },
}
/** Before a number: 'opção 2', 'quero a 2', 'número dois'. */
const beforeNumber = new Set(['opcao', 'numero', 'item', 'quero', 'prefiro', 'a', 'o', 'e', 'n'])
/** In a longer text a word of an option would be a guess. */
const maxWords = 12
const minStart = 2
/** Shorter words ('com', 'uma') name nothing. */
const telling = 4

const wordsOf = (text: string): string[] =>
  plainText(text.replaceAll('🔟', '10'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

const numberIn = (words: readonly string[], options: number): number | undefined => {
  const at = words.findIndex((word) => !beforeNumber.has(word))
  const word = words[at] ?? ''
  if (at !== words.length - 1) return undefined
  const number = /^\d{1,2}$/.test(word) ? Number(word) : Object.hasOwn(numbers, word) ? numbers[word] : undefined
  return number === -1 ? options : number
}

const contains = (words: readonly string[], part: readonly string[]): boolean =>
  part.length > 0 && words.some((_, at) => part.every((word, next) => words[at + next] === word))

/** Undefined unless exactly one does. */
const only = (options: readonly Option[], does: (choosing: readonly string[][]) => boolean): Option | undefined => {
  const [first, second] = options.filter(({ label, words }) => does([label, ...words].map(wordsOf)))
  return second ? undefined : first
}

/**
 * The option that an answer chooses: by its label or a word of it, its number (digit, emoji digit or word), the start of one of its
 * words, or within a short sentence. Without case, accents and marks. Undefined for none, or for several.
 */
export const menuChoice = (options: readonly Option[], written: string): Option | undefined => {
  const words = wordsOf(written)
  const [word = ''] = words
  if (words.length === 0 || words.length > maxWords) return undefined
  const isWritten = (each: readonly string[]) => each.join(' ') === words.join(' ')
  const whole = only(options, (choosing) => choosing.some(isWritten))
  if (whole) return whole
  const number = numberIn(words, options.length)
  if (number !== undefined) return options[number - 1]
  const part = only(options, (choosing) => choosing.some((each) => contains(each, words)))
  if (part) return part
  const isStart = (each: readonly string[]) => each.some((one) => one.startsWith(word))
  if (words.length === 1)
    return word.length < minStart ? undefined : only(options, (choosing) => choosing.some(isStart))
  const named = only(options, (choosing) => choosing.some((each) => contains(words, each)))
  // 'Bolo e pães' names two, one of them by a part.
  const isNamed = only(options, (choosing) =>
    choosing.flat().some((each) => each.length >= telling && words.includes(each)),
  )
  return named === isNamed ? named : undefined
}
