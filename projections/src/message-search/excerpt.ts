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

/** Characters that are looked through for the words: a page of results of 65,000 each would take seconds. Further behind none is marked. */
const looked = 8192

/** Where words stand that begin with one of those asked for, one after the other. Accents of their own may follow letters (NFD). */
function* findWords(text: string, asked: readonly string[]): Generator<Found> {
  const known = new Map<string, boolean>()
  const isFound = (written: string) => wordsOf(written).some((each) => asked.some((start) => each.startsWith(start)))
  for (const { 0: written, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)) {
    const found = known.get(written) ?? isFound(written)
    known.set(written, found)
    if (found) yield { from: index, to: index + written.length }
  }
}

/** The first of them, and those after it that begin before `end`. */
const wordsUpTo = (words: Iterable<Found>, endOf: (first: Found) => number): Found[] => {
  const found: Found[] = []
  for (const word of words) {
    if (found[0] && word.from >= endOf(found[0])) break
    found.push(word)
  }
  return found
}

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
  const startFor = (first: number) => (first <= lead ? 0 : Math.min(first, wordStart(line, first - lead)))
  const found = wordsUpTo(findWords(line.slice(0, looked), asked), ({ from }) => startFor(from) + length)
  const start = startFor(found[0]?.from ?? 0)
  const end = Math.min(line.length, start + length)
  let marked = ''
  let reached = start
  for (const { from, to } of found) {
    marked += `${line.slice(reached, from)}${before}${line.slice(from, Math.min(to, end))}${after}`
    reached = Math.min(to, end)
  }
  marked += line.slice(reached, end)
  return `${start > 0 ? '…' : ''}${wholeCharacters(marked)}${end < line.length ? '…' : ''}`
}
