import { wordsOf } from '../../word-index.ts'

/** What a text names: codes are looked up first, people and reasons only where it has none. */
export interface TextParts {
  /** Whole ids, order references, keys of records. */
  codes: readonly string[]
  /** First eight characters of an id, as the timeline shows them. */
  shortCodes: readonly string[]
  emails: readonly string[]
  /** 'Ana Souza'; each is searched by itself. */
  names: readonly string[]
  /** For reasons: all of these words. */
  words: string
}

/** Bounds look-ups. */
const maxTokens = 200
const maxCodes = 20
const maxNames = 5
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

/** In linear time. */
export const textParts = (text: string): TextParts => {
  const phrases = text.split(phraseEnds).map(tokensOf)
  const tokens = phrases.flat().slice(0, maxTokens)
  const isAlone = tokens.length === 1
  const emails = tokens.filter((token) => email.test(token))
  const others = tokens.filter((token) => !token.includes('@'))
  const names = others.length <= maxWordsOfName && emails.length === 0 ? [text] : phrases.flatMap(namesIn)
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
    names: distinct(names, maxNames),
    words: wordsOf(text).slice(0, 10).join(' '),
  }
}

/** Nothing personal is searched. */
export const codesIn = (text: string): TextParts => ({ ...textParts(text), emails: [], names: [], words: '' })
