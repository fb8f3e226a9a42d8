import type { MessageContent } from '@prosa/contracts/values/message-content'
import { spokenText } from '../chat-messages/shown-content.ts'
import { plain } from '../contact-list/search-text.ts'

const word = /[\p{L}\p{N}]+/gu
/** Longer words are known by their beginning. */
const wordLength = 60
/** WhatsApp takes no longer messages. */
const textLength = 65_536

const cut = (text: string) => (text.length <= wordLength ? text : [...text].slice(0, wordLength).join(''))

/** 'Olá, João! Olá…' → ['ola', 'joao']. Some characters become eighteen: what is longer then is cut as well. */
export const wordsOf = (text: string): string[] => [
  ...new Set((plain(text.slice(0, textLength)).slice(0, textLength).match(word) ?? []).map(cut)),
]

/** All the words of a message. */
export const textOf = (content: MessageContent): string => {
  if (content.kind === 'text') return content.text
  if (content.kind === 'document') return `${content.fileName}\n${content.caption}`
  return 'caption' in content ? content.caption : ''
}

/** Whether a message may ever have words: a caption may be added to a picture, nothing to a sticker. */
export const isSearchable = ({ kind }: MessageContent): boolean =>
  kind === 'text' || kind === 'image' || kind === 'video' || kind === 'document'

/** Words as they are stored: each once, with a space before it. */
const stored = (words: readonly string[]): string => words.map((each) => ` ${each}`).join('')

/** The words of a message as they are stored. */
export const searchWords = (content: MessageContent): string => stored(wordsOf(textOf(content)))

/** The words of a file's name as they are stored, which no edit changes; null where a message has no file. */
export const fileWords = (content: MessageContent): string | null => {
  if (content.kind === 'document') return stored(wordsOf(content.fileName))
  return 'file' in content ? '' : null
}

/** As `editedContent` has it: all words of an edited message, undefined where the edit leaves them as they were. */
export const editedWords = (ofFile: string | null, now: MessageContent): string | undefined => {
  if (ofFile === null) return searchWords(now)
  const text = spokenText(now)
  if (text === undefined) return undefined
  const ofName = new Set(ofFile.split(' ').slice(1))
  return ofFile + stored(wordsOf(text).filter((each) => !ofName.has(each)))
}
