import type { PublishedMessage } from '@prosa/contracts/published/tables/messages'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { spokenText } from '../../chat-messages/shown-content.ts'
import type { Shown } from '../analytic-table.ts'
import type { AnalyticMessageRow } from './table.ts'

export interface WordedMessage extends AnalyticMessageRow {
  content?: MessageContent | null
}

export const shownMessage: Shown<WordedMessage, PublishedMessage> = (row, { id, withPersonal }) => ({
  id: id('message', row.messageId),
  tenant: id('account', row.tenant),
  chatId: id('contact', row.contactId),
  contactId: id('contact', row.personId),
  connectionId: id('connection', row.connectionId),
  author: row.author,
  attendantId: id('account', row.attendantId),
  flowId: id('flow', row.flowId),
  flowVersion: row.flowVersion,
  runId: id('run', row.runId),
  kind: row.kind,
  characters: row.characters,
  fileBytes: row.fileBytes === null ? null : Number(row.fileBytes),
  seconds: row.seconds,
  isVoice: row.isVoice,
  isReply: row.isReply,
  sentAt: row.sentAt,
  recordedAt: row.recordedAt,
  status: row.status ?? 'received',
  acceptedAt: row.acceptedAt,
  deliveredAt: row.deliveredAt,
  readAt: row.readAt,
  failedAt: row.failedAt,
  failureCode: row.failureCode,
  retries: row.retries,
  editedAt: row.editedAt,
  deletedAt: row.deletedAt,
  updatedAt: row.updatedAt,
  ...(withPersonal && { text: (row.content && spokenText(row.content)) || null }),
})
