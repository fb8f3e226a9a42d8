import { wordsOf } from './message-search/words.ts'

/** Words as a column keeps them: each once, with a space between them. */
export const indexedText = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.flatMap((text) => (text === null ? [] : wordsOf(text))))].join(' ')

/** What an index holds of such a column, for `create index … using gin ((…))` and for the condition. */
export const wordsIn = (column: string): string => `array_to_tsvector(string_to_array(${column}, ' '))`

/** Words that each begin with one of these: letters and digits only, so that nothing in them is an operator. Null: none was typed, or signs alone, which are in no index. */
export const beginningWith = (typed: string | undefined): string | null => {
  const words = typed === undefined ? [] : wordsOf(typed).slice(0, 10)
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ')
}
