import type { Message } from '@prosa/contracts/http/live-chat'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { deletedText, messageLine, messageText, oneLine } from '../message-text.ts'
import { correctionReason, failureReason } from './failure-reason.ts'
import { type KnownFile, shownMedia } from './shown-media.ts'
import type { MessageRow } from './table.ts'

export interface FoundMessage {
  row: MessageRow
  file: KnownFile
  /** If in the same chat. */
  answered: Pick<MessageRow, 'content' | 'sender' | 'deletedAt'> | undefined
}

const reactionsOf = ({ ownReaction, contactReaction }: MessageRow): Message['reactions'] => [
  ...(contactReaction === null ? [] : [{ emoji: contactReaction, sender: 'contact' as const }]),
  ...(ownReaction === null ? [] : [{ emoji: ownReaction, sender: 'user' as const }]),
]

const quotedOf = ({ quoted }: MessageContent, answered: FoundMessage['answered']): Message['quoted'] => {
  if (!quoted) return null
  if (!answered) return { id: quoted.messageId, content: oneLine(quoted.text), sender: null }
  const content = answered.deletedAt === null ? messageLine(answered.content) : deletedText
  return { id: quoted.messageId, content, sender: answered.sender }
}

const correctionOf = ({ correction, deletedAt }: MessageRow): Pick<Message, 'correction'> => {
  if (!correction || deletedAt !== null) return {}
  const { kind, text, failureCode } = correction
  return { correction: { kind, content: text, failure: failureCode === null ? null : correctionReason(failureCode) } }
}

/** A deleted message shows only its original text. */
export const shownMessage = ({ row, file, answered }: FoundMessage, contactId: string): Message => {
  const isDeleted = row.deletedAt !== null
  return {
    id: row.messageId,
    contactId,
    connectionId: row.connectionId,
    content: isDeleted ? deletedText : messageText(row.content),
    kind: isDeleted ? 'deleted' : row.content.kind,
    sender: row.sender,
    timestamp: row.timestamp,
    status: row.status,
    failure: row.failureCode === null ? null : failureReason(row.failureCode),
    sentElsewhere: row.sentElsewhere,
    media: isDeleted ? null : shownMedia(row.content, file),
    quoted: isDeleted ? null : quotedOf(row.content, answered),
    reactions: isDeleted ? [] : reactionsOf(row),
    editedAt: row.editedAt,
    original: row.original,
    ...correctionOf(row),
    ...(row.isAutomatic && { isAutomatic: true as const }),
    ...(row.isProgram && { isProgram: true as const }),
    ...(row.isFlow && { isFlow: true as const }),
  }
}
