import { wordsOf } from './words.ts'

const before = '\uE000'
const after = '\uE001'
/** About so many characters, of which so many may stand before the first word found. */
const length = 160
const lead = 40

interface Found {
  from: number
  to: number
}

/** Where words stand that begin with one of those asked for. Accents of their own may follow letters (NFD). */
const findWords = (text: string, asked: readonly string[]): Found[] =>
  [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)].flatMap(({ 0: written, index }) => {
    const isFound = wordsOf(written).some((each) => asked.some((start) => each.startsWith(start)))
    return isFound ? [{ from: index, to: index + written.length }] : []
  })

/** The nearest beginning of a word at or after a place, so that nothing is cut in the middle. */
const wordStart = (text: string, place: number): number => {
  if (place <= 0) return 0
  const space = text.indexOf(' ', place)
  return space === -1 || space - place > lead ? place : space + 1
}

/** Half of a surrogate pair is no character. */
const wholeCharacters = (text: string) => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')

/**
 * A piece of the text, on one line, around the first word that begins with one of those asked for; each such word stands
 * between U+E000 and U+E001, as it was written. Marks that the text has itself are left out.
 */
export const excerptOf = (text: string, asked: readonly string[]): string => {
  const line = text
    .replace(/[\uE000\uE001]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const found = findWords(line, asked)
  const first = found[0]?.from ?? 0
  const start = first <= lead ? 0 : Math.min(first, wordStart(line, first - lead))
  const end = Math.min(line.length, start + length)
  let marked = ''
  let reached = start
  for (const { from, to } of found) {
    if (from >= end) break
    marked += `${line.slice(reached, from)}${before}${line.slice(from, Math.min(to, end))}${after}`
    reached = Math.min(to, end)
  }
  marked += line.slice(reached, end)
  return `${start > 0 ? '…' : ''}${wholeCharacters(marked)}${end < line.length ? '…' : ''}`
}
