import { lruMap } from '@prosa/kernel/lru-map'
import { RE2JS, RE2JSException } from 're2js'

/** Limit of the text that a pattern reads. */
const maxCharacters = 500
/** Matching time is states × characters. */
const maxStates = 1000

/** Per flow and per decision, about 0.2 s: up to 50 µs per character to compile, 40 µs per state to match. */
export const patternBudget = { characters: 2000, states: 3000 } as const

/** Each pattern may cache 8 MB of matching state. */
const compiled = lruMap<string, RE2JS>(16)
/** Includes patterns that are no longer compiled. */
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

/** Null if invalid or too expensive. No backtracking. */
const patternOf = (pattern: string): RE2JS | null => {
  const found = compiled.get(pattern)
  if (found || sizes.get(pattern) === null) return found ?? null
  const made = compile(pattern)
  sizes.set(pattern, made?.programSize() ?? null)
  if (made) compiled.set(pattern, made)
  return made
}

/** Null if invalid or too large: matches nothing. */
export const patternStates = (pattern: string): number | null => {
  const known = sizes.get(pattern)
  return known === undefined ? (patternOf(pattern)?.programSize() ?? null) : known
}

const looked = (text: string) => text.slice(0, maxCharacters)

/** Drafts may hold invalid patterns. */
const isFound = (pattern: string, text: string): boolean => patternOf(pattern)?.matcher(text).find() ?? false

export interface Patterns {
  /** False beyond the budget. */
  matches(pattern: string, text: string): boolean
  isUsedUp(): boolean
}

/** Repeated queries cost nothing. */
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
