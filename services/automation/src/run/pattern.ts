import { lruMap } from '@prosa/kernel/lru-map'
import { RE2JS } from 're2js'

/** Characters of an answer that a pattern looks at, at most. */
const mostCharacters = 500
/** States of a compiled pattern, at most: the time that it takes is this times the characters. */
const mostInstructions = 1000

const known = lruMap<string, RE2JS | null>(500)

const compile = (pattern: string): RE2JS | null => {
  try {
    const compiled = RE2JS.compile(pattern)
    return compiled.programSize() > mostInstructions ? null : compiled
  } catch {
    // What is no pattern is refused where the flow is published; a draft that is tried out may have one.
    return null
  }
}

/** The compiled pattern; null of what is none, or would take too long. The engine is linear in time and knows no way back. */
const patternOf = (pattern: string): RE2JS | null => {
  const found = known.get(pattern)
  if (found !== undefined) return found
  const compiled = compile(pattern)
  known.set(pattern, compiled)
  return compiled
}

/** Whether the pattern is found in the text; false of what is no pattern. */
export const matches = (pattern: string, text: string): boolean =>
  patternOf(pattern)?.matcher(text.slice(0, mostCharacters)).find() ?? false
