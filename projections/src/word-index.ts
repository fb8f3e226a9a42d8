import { plain } from './search-text.ts'

const word = /[\p{L}\p{N}]+/gu
/** Longer words are cut. */
const wordLength = 60
/** WhatsApp's maximum length. */
const textLength = 65_536

const cut = (text: string) => (text.length <= wordLength ? text : [...text].slice(0, wordLength).join(''))

/** 'Olá, João! Olá…' → ['ola', 'joao']. Cut again: one character may become eighteen. */
export const wordsOf = (text: string): string[] => [
  ...new Set((plain(text.slice(0, textLength)).slice(0, textLength).match(word) ?? []).map(cut)),
]

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
