import type { Instant } from '@prosa/contracts/values/instant'
import { wordsOf } from '../../word-index.ts'

/** `to` is exclusive. */
export interface Moment {
  from: Instant
  to: Instant
}

/** What a text names: codes are looked up first, people and reasons only where it has none. */
export interface TextParts {
  /** Whole ids, order references, keys of records. */
  codes: readonly string[]
  /** First eight characters of an id, as the timeline shows them. */
  shortCodes: readonly string[]
  emails: readonly string[]
  /** Of a pasted line: to the second, or as exact as an export has them. */
  moments: readonly Moment[]
  /** 'Ana Souza'; each is searched by itself. */
  names: readonly string[]
  /** Of connections, flows, folders and plans, whole: what stands in quotation marks, or few words. */
  things: readonly string[]
  /** For reasons: all of these words. */
  words: string
}

/** Bounds look-ups. */
const maxTokens = 200
const maxCodes = 20
const maxNames = 5
const maxMoments = 5
/** A longer text is a sentence: only its capitalized words are names. */
const maxWordsOfName = 6

/** Between them names end. */
const phraseEnds = /[,;()<>[\]{}|“”"·]+/u
const separators = /[\s'‘’]+/u
const shortCode = /^[0-9a-f]{8}$/i
const codeLike = /^[\w.:-]{4,200}$/
const dateOrTime = /^\d{1,4}([-/.:h]\d{1,4})+$/
const email = /^[^@]{1,64}@[^@]{1,190}$/

const isOfWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

/** '“ABC1234”.' → 'ABC1234' */
const trimmed = (token: string): string => {
  const characters = [...token]
  return characters.slice(characters.findIndex(isOfWord), characters.findLastIndex(isOfWord) + 1).join('')
}

const tokensOf = (phrase: string): string[] =>
  phrase
    .split(separators)
    .map(trimmed)
    .filter((token) => token !== '')

/** A word of a sentence is no code: codes have a digit, or are all that was typed. */
const isCode = (token: string, isAlone: boolean) =>
  codeLike.test(token) && !dateOrTime.test(token) && (isAlone || /\d/.test(token))

const linking = new Set(['de', 'da', 'do', 'das', 'dos', 'e'])
const capitalized = /^\p{Lu}[\p{L}'-]*$/u

/** 'Ana de Souza' of a sentence. */
const namesIn = (tokens: readonly string[]): string[] => {
  const names: string[][] = []
  let current: string[] = []
  const close = () => {
    while (linking.has(current.at(-1) ?? '')) current.pop()
    if (current.length > 1) names.push(current)
    current = []
  }
  for (const token of tokens)
    if (capitalized.test(token) || (current.length > 0 && linking.has(token))) current.push(token)
    else close()
  close()
  return names.map((words) => words.join(' '))
}

const distinct = (texts: readonly string[], max: number) => [...new Set(texts)].slice(0, max)

const written = /(\d{2})\/(\d{2})\/(\d{4}),? (\d{2}:\d{2}:\d{2})/g
const exported = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g

const lasting = (text: string, durationMs: number): Moment[] => {
  const from = Date.parse(text)
  if (Number.isNaN(from)) return []
  return [{ from: new Date(from).toISOString(), to: new Date(from + durationMs).toISOString() }]
}

/** '27/11/2026, 14:51:04' in São Paulo (UTC−3 since 2019), as the timeline shows it. */
const momentsIn = (text: string): Moment[] => [
  ...[...text.matchAll(written)].flatMap(([, day, month, year, time]) =>
    lasting(`${year}-${month}-${day}T${time}-03:00`, 1000),
  ),
  ...[...text.matchAll(exported)].flatMap(([instant]) => lasting(instant, 1)),
]

const quotedIn = (text: string): string[] => [...text.matchAll(/“([^“”]{1,200})”/g)].map(([, name = '']) => name)

/** In linear time. */
export const textParts = (text: string): TextParts => {
  const phrases = text.split(phraseEnds).map(tokensOf)
  const tokens = phrases.flat().slice(0, maxTokens)
  const isAlone = tokens.length === 1
  const emails = tokens.filter((token) => email.test(token))
  const others = tokens.filter((token) => !token.includes('@'))
  const isName = others.length <= maxWordsOfName && emails.length === 0
  const names = isName ? [text] : phrases.flatMap(namesIn)
  return {
    codes: distinct(
      others.filter((token) => isCode(token, isAlone)),
      maxCodes,
    ),
    shortCodes: distinct(
      others.filter((token) => shortCode.test(token)).map((token) => token.toLowerCase()),
      maxCodes,
    ),
    emails: distinct(
      emails.map((address) => address.toLowerCase()),
      maxCodes,
    ),
    moments: momentsIn(text).slice(0, maxMoments),
    names: distinct(names, maxNames),
    things: distinct(isName ? [text.trim(), ...quotedIn(text)] : quotedIn(text), maxNames),
    words: wordsOf(text).slice(0, 10).join(' '),
  }
}

/** Nothing personal is searched. */
export const codesIn = (text: string): TextParts => ({
  ...textParts(text),
  emails: [],
  moments: [],
  names: [],
  things: [],
  words: '',
})
