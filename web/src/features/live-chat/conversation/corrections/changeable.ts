import type { Message } from '@prosa/contracts/http/live-chat'
import { correctionLimits } from '@prosa/contracts/values/correction-limits'

const withWords: readonly Message['kind'][] = ['text', 'image', 'video', 'document']

const isOwn = ({ sender, kind, status }: Message) => sender === 'user' && kind !== 'deleted' && status !== 'failed'

/** The time limit of a queued message has not begun. */
const isYoung = ({ status, timestamp }: Message, limit: number, now: number) =>
  status === 'queued' || now - Date.parse(timestamp) <= limit

const isBeingDeleted = ({ correction }: Message) => correction?.kind === 'deletion' && correction.failure === null

/** Regardless of age. */
export const hasOwnWords = (message: Message): boolean =>
  isOwn(message) && message.content.trim() !== '' && withWords.includes(message.kind)

export const canBeEdited = (message: Message, now = Date.now()): boolean =>
  hasOwnWords(message) && isYoung(message, correctionLimits.edit, now) && !isBeingDeleted(message)

export const canBeDeleted = (message: Message, now = Date.now()): boolean =>
  isOwn(message) && isYoung(message, correctionLimits.deletion, now) && !isBeingDeleted(message)

/** The text of a pending or failed edit, else the contact's version. */
export const wantedWords = ({ content, correction }: Message): string =>
  (correction?.kind === 'edit' ? correction.content : null) ?? content

/** Excludes failed edits. */
export const shownWords = (message: Message): string =>
  message.correction?.failure === null ? wantedWords(message) : message.content

export const lastEditable = (messages: readonly Message[]): Message | undefined => {
  const last = messages.findLast(({ sender, kind }) => sender === 'user' && kind !== 'deleted')
  return last && canBeEdited(last) ? last : undefined
}
