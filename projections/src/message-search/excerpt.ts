import { wordsOf } from '../word-index.ts'

const before = '\uE000'
const after = '\uE001'
/** Characters in all, and before the first match. */
const length = 160
const lead = 40

interface Found {
  from: number
  to: number
}

/** Searched and marked: a page of 65,000-character results would take seconds. */
const looked = 8192

/** Word prefixes in order; combining accents may follow letters (NFD). */
function* findWords(text: string, asked: readonly string[]): Generator<Found> {
  const known = new Map<string, boolean>()
  const isFound = (written: string) => wordsOf(written).some((each) => asked.some((start) => each.startsWith(start)))
  for (const { 0: written, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)) {
    const found = known.get(written) ?? isFound(written)
    known.set(written, found)
    if (found) yield { from: index, to: index + written.length }
  }
}

const wordsUpTo = (words: Iterable<Found>, endOf: (first: Found) => number): Found[] => {
  const found: Found[] = []
  for (const word of words) {
    if (found[0] && word.from >= endOf(found[0])) break
    found.push(word)
  }
  return found
}

/** Nearest word start at or after a position. */
const wordStart = (text: string, place: number): number => {
  if (place <= 0) return 0
  const space = text.indexOf(' ', place)
  return space === -1 || space - place > lead ? place : space + 1
}

/** Removes half surrogate pairs. */
const wholeCharacters = (text: string) => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')

/** One line around the first match; matches are between U+E000 and U+E001, which the text itself loses. */
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
