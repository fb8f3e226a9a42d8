import { maximumTextLength } from '../lengths.ts'

/** Read by triggers and conditions, and the longest variable value (`filledVariables`); the rest is ignored. */
export const maximumReadLength = maximumTextLength

const isPartOfWord = (character: string) => /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(character)

/** Half a word could match another. */
export const readableText = (text: string): string => {
  if (text.length <= maximumReadLength) return text
  let end = maximumReadLength
  if (isPartOfWord(text.charAt(end))) while (end > 0 && isPartOfWord(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Adds one character, which tells if the last word is whole. The message has the rest. */
export const recordedText = (text: string): string =>
  text.slice(0, maximumReadLength + 1).replace(/[\ud800-\udbff]$/, '')
