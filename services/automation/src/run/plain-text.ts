/** A text as it is compared: without case, accents and more than one blank between words. */
export const plainText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

const isPartOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Whether a word (or some words) stands in a text by itself; both are plain. */
export const hasWord = (text: string, word: string): boolean => {
  if (word === '') return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + word.length])) return true
  return false
}
