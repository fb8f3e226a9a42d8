import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { furtherStatus } from '../message-status.ts'
import { messageText, originalText } from '../message-text.ts'
import { editedContent, shownContent } from './shown-content.ts'
import { type MessageRow, messageTable } from './table.ts'

type Row = MessageRow | undefined
type About = Stored & { data: { messageId: string } }

const key = ({ stream, data }: About) => `${parseStream(stream).id}:${data.messageId}`

type Message = StoredOf<'MessageReceived'> | StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>

/** Log order: WhatsApp's clocks may be wrong, and a late message must not appear above read ones. */
const message = (
  event: Message,
  rest: Pick<MessageRow, 'sender' | 'timestamp' | 'status' | 'sentElsewhere'> & Partial<MessageRow>,
): MessageRow => ({
  key: key(event),
  contactId: parseStream(event.stream).id,
  messageId: event.data.messageId,
  tenant: event.metadata.tenant,
  connectionId: event.data.connectionId,
  place: event.position,
  content: shownContent(event.data.content),
  failureCode: null,
  editedAt: null,
  deletedAt: null,
  original: null,
  correction: null,
  ownReaction: null,
  contactReaction: null,
  isAutomatic: false,
  isProgram: false,
  isFlow: false,
  ...rest,
})

const left = ({ correction }: MessageRow, correctionId: string | undefined): MessageRow['correction'] =>
  correction?.id === correctionId ? null : correction

const tick = (reported: MessageStatus) => ({
  key,
  row: (row: Row, _: About): Row => {
    if (!row) return undefined
    const status = furtherStatus(row.status, reported)
    return { ...row, status, failureCode: status === 'failed' ? row.failureCode : null }
  },
})

/** Status only moves forward. */
export const chatMessages: Projection<MessageRow> = {
  name: 'chat-messages',
  version: 9,
  categories: ['chat'],
  table: messageTable,
  on: {
    MessageReceived: {
      key,
      makes: true,
      row: (row, event) =>
        row ?? message(event, { sender: 'contact', timestamp: event.data.sentAt, status: null, sentElsewhere: false }),
    },
    MessageSentElsewhere: {
      key,
      makes: true,
      row: (row, event) =>
        row ?? message(event, { sender: 'user', timestamp: event.data.sentAt, status: 'sent', sentElsewhere: true }),
    },
    MessageQueued: {
      key,
      makes: true,
      // A retry keeps its position and shows the latest content.
      row: (row, event) =>
        row
          ? {
              ...row,
              connectionId: event.data.connectionId,
              content: shownContent(event.data.content),
              status: 'queued',
              failureCode: null,
              correction: null,
            }
          : message(event, {
              sender: 'user',
              timestamp: event.metadata.recordedAt,
              status: 'queued',
              sentElsewhere: false,
              isAutomatic: event.data.automatic !== undefined,
              isFlow: event.data.automatic === 'flow',
              isProgram: event.data.automatic === 'program',
            }),
    },
    // The row exists: these events follow their message in its stream.
    MessageSent: tick('sent'),
    MessageDelivered: tick('delivered'),
    MessageRead: tick('read'),
    MessageFailed: {
      key,
      row: (row, { data }) => {
        if (!row || furtherStatus(row.status, 'failed') !== 'failed') return row
        return { ...row, status: 'failed', failureCode: data.code }
      },
    },
    MessageEdited: {
      key,
      row: (row, { data }) =>
        row && {
          ...row,
          content: editedContent(row.content, data.content),
          editedAt: data.editedAt,
          correction: left(row, data.correctionId),
          original: row.original ?? originalText(row.content),
        },
    },
    MessageDeleted: {
      key,
      row: (row, { data }) =>
        row && {
          ...row,
          deletedAt: data.deletedAt,
          correction: null,
          original: row.original ?? originalText(row.content),
        },
    },
    EditQueued: {
      key,
      row: (row, { data: { editId: id, content } }) =>
        row && { ...row, correction: { id, kind: 'edit', text: messageText(content), failureCode: null } },
    },
    DeletionQueued: {
      key,
      row: (row, { data: { deletionId: id } }) =>
        row && { ...row, correction: { id, kind: 'deletion', text: null, failureCode: null } },
    },
    CorrectionFailed: {
      key,
      row: (row, { data: { correctionId, code } }) =>
        row?.correction?.id === correctionId ? { ...row, correction: { ...row.correction, failureCode: code } } : row,
    },
    MessageReacted: {
      key,
      row: (row, { data: { by, emoji } }) =>
        row && (by === 'user' ? { ...row, ownReaction: emoji } : { ...row, contactReaction: emoji }),
    },
    // Shown before WhatsApp confirms it.
    ReactionQueued: { key, row: (row, { data: { emoji } }) => row && { ...row, ownReaction: emoji } },
    ReactionFailed: { key, row: (row, { data: { emoji } }) => row && { ...row, ownReaction: emoji } },
    ChatErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } },
  },
}
