import type { MessageContent } from '@prosa/contracts/values/message-content'
import { spokenText } from '../chat-messages/shown-content.ts'
import { wordsOf } from '../word-index.ts'

export const textOf = (content: MessageContent): string => {
  if (content.kind === 'text') return content.text
  if (content.kind === 'document') return `${content.fileName}\n${content.caption}`
  return 'caption' in content ? content.caption : ''
}

/** Pictures may get captions, stickers not. */
export const isSearchable = ({ kind }: MessageContent): boolean =>
  kind === 'text' || kind === 'image' || kind === 'video' || kind === 'document'

/** Each word after a space. */
const stored = (words: readonly string[]): string => words.map((each) => ` ${each}`).join('')

export const searchWords = (content: MessageContent): string => stored(wordsOf(textOf(content)))

/** Unaffected by edits; null without a file. */
export const fileWords = (content: MessageContent): string | null => {
  if (content.kind === 'document') return stored(wordsOf(content.fileName))
  return 'file' in content ? '' : null
}

/** Undefined if unchanged, as in `editedContent`. */
export const editedWords = (ofFile: string | null, now: MessageContent): string | undefined => {
  if (ofFile === null) return searchWords(now)
  const text = spokenText(now)
  if (text === undefined) return undefined
  const ofName = new Set(ofFile.split(' ').slice(1))
  return ofFile + stored(wordsOf(text).filter((each) => !ofName.has(each)))
}
