import { wordsOf } from './message-search/words.ts'

/** Distinct words, space-separated. */
export const indexedText = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.flatMap((text) => (text === null ? [] : wordsOf(text))))].join(' ')

/** For `create index … using gin ((…))` and conditions. */
export const wordsIn = (column: string): string => `array_to_tsvector(string_to_array(${column}, ' '))`

/** Prefixes of letters and digits: no injection. Null without words. */
export const beginningWith = (typed: string | undefined): string | null => {
  const words = typed === undefined ? [] : wordsOf(typed).slice(0, 10)
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ')
}
