import { lruMap } from '@prosa/kernel/lru-map'
import { RE2JS, RE2JSException } from 're2js'

/** Characters of an answer that a pattern looks at, at most. */
const maxCharacters = 500
/** States of a compiled pattern, at most: the time that it takes is this times the characters. */
const maxStates = 1000

/**
 * What the different patterns of one flow may have together, and those that one decision tries: characters, which cost up to 50 µs each
 * to be compiled, and states, which cost up to 40 µs each where all characters of an answer are looked at. Some 0.2 s in all.
 */
export const patternBudget = { characters: 2000, states: 3000 } as const

/** Each may come to hold 8 MB of what it has found out of texts. */
const compiled = lruMap<string, RE2JS>(16)
/** Of patterns that are not compiled any more, too. */
const sizes = lruMap<string, number | null>(2000)

const compile = (pattern: string): RE2JS | null => {
  try {
    const made = RE2JS.compile(pattern)
    return made.programSize() > maxStates ? null : made
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

/** The compiled pattern; null of what is none, or would take too long. The engine is linear in time and knows no way back. */
const patternOf = (pattern: string): RE2JS | null => {
  const found = compiled.get(pattern)
  if (found || sizes.get(pattern) === null) return found ?? null
  const made = compile(pattern)
  sizes.set(pattern, made?.programSize() ?? null)
  if (made) compiled.set(pattern, made)
  return made
}

/** States of a pattern; null of what is none, or is too large to be tried: it matches nothing. */
export const patternStates = (pattern: string): number | null => {
  const known = sizes.get(pattern)
  return known === undefined ? (patternOf(pattern)?.programSize() ?? null) : known
}

const looked = (text: string) => text.slice(0, maxCharacters)

/** Whether the pattern is found in the text; false of what is no pattern: a draft that is tried out may have one. */
const isFound = (pattern: string, text: string): boolean => patternOf(pattern)?.matcher(text).find() ?? false

export interface Patterns {
  /** Whether the pattern is found in the text; false once the budget is used up. */
  matches(pattern: string, text: string): boolean
  /** More was asked than one decision may cost. */
  isUsedUp(): boolean
}

/** Patterns for one decision, within the budget. The same asked again costs nothing. */
export const patternsWithin = (budget: { characters: number; states: number } = patternBudget): Patterns => {
  const left = { ...budget }
  const known = new Map<string, boolean>()
  return {
    matches(pattern, text) {
      const beginning = looked(text)
      const key = JSON.stringify([pattern, beginning])
      const answer = known.get(key)
      if (answer !== undefined) return answer
      if (left.states >= 0) left.characters -= pattern.length
      if (left.states >= 0 && left.characters >= 0) left.states -= patternStates(pattern) ?? 0
      if (left.characters < 0 || left.states < 0) return false
      const found = isFound(pattern, beginning)
      known.set(key, found)
      return found
    },
    isUsedUp: () => left.characters < 0 || left.states < 0,
  }
}
