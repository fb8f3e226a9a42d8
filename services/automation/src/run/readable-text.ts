import { maximumTextLength } from '@prosa/contracts/values/lengths'

/**
 * Characters of a message or an answer that triggers and conditions read, at most: as many as a variable can be filled in with
 * (`filledVariables`). What stands behind them is recorded, and read by nobody here: a message of 65,000 letters costs no more than
 * one of so many.
 */
export const maximumReadLength = maximumTextLength

const isPartOfWord = (character: string) => /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(character)

/** The beginning of a text, up to there; it ends with a whole word, as half of one would be another. */
export const readableText = (text: string): string => {
  if (text.length <= maximumReadLength) return text
  let end = maximumReadLength
  if (isPartOfWord(text.charAt(end))) while (end > 0 && isPartOfWord(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/**
 * As much of a text as a run records and carries with it: all that is read, and one character more, by which it is known whether the
 * last word is whole. The message itself has the rest.
 */
export const recordedText = (text: string): string =>
  text.slice(0, maximumReadLength + 1).replace(/[\ud800-\udbff]$/, '')
