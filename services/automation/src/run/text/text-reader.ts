import { yesOrNo } from '@prosa/contracts/values/answers/yes-or-no'
import { plainText } from '@prosa/contracts/values/text/plain-text'
import { type Patterns, patternsWithin } from './pattern.ts'

/** Normalizes each text once per decision. */
export interface TextReader extends Patterns {
  plain(text: string): string
  yesOrNo(text: string): 'yes' | 'no' | undefined
}

const once = <R>(read: (text: string) => R): ((text: string) => R) => {
  const known = new Map<string, { found: R }>()
  return (text) => {
    const { found } = known.get(text) ?? { found: read(text) }
    known.set(text, { found })
    return found
  }
}

export const textReader = (): TextReader => ({
  ...patternsWithin(),
  plain: once(plainText),
  yesOrNo: once(yesOrNo),
})
