import { contactSubject } from '@prosa/contracts/events/subjects'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Decider } from '@prosa/kernel/domain/decider'
import {
  type Chat,
  changeOf,
  correctionOf,
  empty,
  existing,
  keysOf,
  messageOf,
  reactedTo,
  without,
} from './chat-state.ts'
import { type ChatEvent, evolveChat } from './evolve-chat.ts'
import { isFurther, type Progress, progressOf, writerOf } from './known-message.ts'

type Arrival = { messageId: string; connectionId: string; content: MessageContent; sentAt: string }
type About = { messageId: string }
type NewMessage = Omit<Extract<ChatEvent, { type: 'MessageQueued' }>['data'], 'isRetry' | 'isRefused' | 'wasRefused'>
/** `user` is the tenant's side. */
type By = { by: 'contact' | 'user' }

export type ChatCommand =
  | { type: 'ReceiveMessage'; data: Arrival & { receivedAt?: string } }
  | { type: 'RecordMessageSentElsewhere'; data: Arrival }
  /** `wasRefused`: a refused message is sent for the first time. */
  | { type: 'QueueMessage'; data: NewMessage & { wasRefused?: true } }
  /** For senders that see no reply. */
  | { type: 'RefuseMessage'; data: NewMessage & { code: string } }
  | { type: 'MarkSent'; data: About }
  | { type: 'MarkDelivered'; data: About }
  | { type: 'MarkRead'; data: About }
  /** By id of a message, reaction or correction. */
  | { type: 'MarkFailed'; data: About & { code: string } }
  /** `correctionId`: WhatsApp accepted this correction of an attendant. */
  | { type: 'EditMessage'; data: About & By & { content: MessageContent; editedAt: string; correctionId?: string } }
  | { type: 'DeleteMessage'; data: About & By & { deletedAt: string; correctionId?: string } }
  | { type: 'QueueEdit'; data: Extract<ChatEvent, { type: 'EditQueued' }>['data'] }
  | { type: 'QueueDeletion'; data: Extract<ChatEvent, { type: 'DeletionQueued' }>['data'] }
  | { type: 'ReactToMessage'; data: About & By & { reactionId: string; emoji: string | null; reactedAt: string } }
  | {
      type: 'QueueReaction'
      data: About & {
        reactionId: string
        connectionId: string
        toJid: string
        emoji: string | null
        attendantId: string
      }
    }
  | { type: 'MarkSeen'; data: { attendantId: string } }
  | { type: 'EraseChat'; data: Record<never, never> }

export type ChatRefusal =
  | 'contact_not_found'
  | 'message_not_found'
  | 'message_not_ready'
  | 'message_not_own'
  | 'message_not_sent'

const isProgress = (chat: Chat, messageId: string, progress: Progress): boolean => {
  const known = messageOf(chat, messageId)
  return known !== undefined && isFurther(progress, progressOf(known))
}

const isAnswered = (chat: Chat, id: string | undefined): boolean => id !== undefined && !correctionOf(chat, id)?.isOpen

const refuseChange = (state: Chat, messageId: string): { rejected: ChatRefusal } | undefined => {
  if (state.isErased) return gone
  const known = existing(state, messageId)
  if (known === undefined) return { rejected: 'message_not_found' }
  if (writerOf(known) !== 'user') return { rejected: 'message_not_own' }
  return progressOf(known) === 'failed' ? { rejected: 'message_not_sent' } : undefined
}

const gone = { rejected: 'contact_not_found' } as const

/** A message id counts once, however often reported. */
export const chat: Decider<ChatCommand, ChatEvent, Chat, ChatRefusal> = {
  initial: empty,
  saving: {
    decider: 'chat',
    version: 2,
    subject: ({ id }) => contactSubject(id),
    // Emojis are personal data.
    entries: { keysOf, personal: (key) => (key.startsWith('c ') ? 'stream' : undefined) },
  },

  decide: {
    ReceiveMessage: (state, { receivedAt, ...data }) => {
      if (state.isErased) return gone
      if (messageOf(state, data.messageId) !== undefined) return []
      return [
        { type: 'MessageReceived', data: receivedAt && data.sentAt > receivedAt ? { ...data, receivedAt } : data },
      ]
    },
    RecordMessageSentElsewhere: (state, data) => {
      if (state.isErased) return gone
      return messageOf(state, data.messageId) !== undefined ? [] : [{ type: 'MessageSentElsewhere', data }]
    },
    QueueMessage: (state, { wasRefused, ...data }) => {
      if (state.isErased) return gone
      const known = messageOf(state, data.messageId)
      if (known === undefined) return [{ type: 'MessageQueued', data }]
      if (progressOf(known) !== 'failed') return []
      return [{ type: 'MessageQueued', data: { ...data, isRetry: true, ...(wasRefused && { wasRefused }) } }]
    },
    RefuseMessage: (state, { code, ...data }) => {
      if (state.isErased) return gone
      const { messageId } = data
      if (messageOf(state, messageId) !== undefined) return []
      return [
        { type: 'MessageQueued', data: { ...data, isRefused: true } },
        { type: 'MessageFailed', data: { messageId, code } },
      ]
    },
    MarkSent: (state, data) => (isProgress(state, data.messageId, 'sent') ? [{ type: 'MessageSent', data }] : []),
    MarkDelivered: (state, data) =>
      isProgress(state, data.messageId, 'delivered') ? [{ type: 'MessageDelivered', data }] : [],
    MarkRead: (state, data) => (isProgress(state, data.messageId, 'read') ? [{ type: 'MessageRead', data }] : []),
    MarkFailed: (state, data) => {
      if (isProgress(state, data.messageId, 'failed')) return [{ type: 'MessageFailed', data }]
      const { messageId: reactionId, code } = data
      const correction = correctionOf(state, reactionId)
      if (correction)
        return correction.isOpen
          ? [{ type: 'CorrectionFailed', data: { correctionId: reactionId, messageId: correction.messageId, code } }]
          : []
      const messageId = reactedTo(state, reactionId)
      if (messageId === undefined) return []
      const { queued } = changeOf(state, messageId)
      const left = without(queued, reactionId)
      if (left.length === queued.length) return []
      return [{ type: 'ReactionFailed', data: { reactionId, messageId, code, emoji: left.at(-1)?.emoji ?? null } }]
    },

    // Unknown messages may predate linking.
    EditMessage: (state, { by, ...data }) => {
      const { messageId, correctionId } = data
      const known = existing(state, messageId)
      if (known === undefined || writerOf(known) !== by || isAnswered(state, correctionId)) return []
      const { editedAt } = changeOf(state, messageId)
      if (editedAt === null || data.editedAt > editedAt) return [{ type: 'MessageEdited', data }]
      if (correctionId === undefined) return []
      // Edits within a millisecond keep queue order.
      if (data.editedAt === editedAt) return [{ type: 'MessageEdited', data }]
      return [{ type: 'CorrectionFailed', data: { correctionId, messageId, code: 'overtaken' } }]
    },
    QueueEdit: (state, data) => {
      if (correctionOf(state, data.editId)) return []
      const refused = refuseChange(state, data.messageId)
      if (refused) return refused
      if (changeOf(state, data.messageId).deletionId !== null) return { rejected: 'message_not_found' }
      return [{ type: 'EditQueued', data }]
    },
    QueueDeletion: (state, data) => {
      const { messageId } = data
      const change = changeOf(state, messageId)
      if (correctionOf(state, data.deletionId) || change.isDeleted || change.deletionId !== null) return []
      return refuseChange(state, messageId) ?? [{ type: 'DeletionQueued', data }]
    },
    DeleteMessage: (state, data) => {
      const known = existing(state, data.messageId)
      return known === undefined || writerOf(known) !== data.by ? [] : [{ type: 'MessageDeleted', data }]
    },
    ReactToMessage: (state, { reactionId, ...data }) => {
      if (existing(state, data.messageId) === undefined || reactedTo(state, reactionId) !== undefined) return []
      const last = changeOf(state, data.messageId)[data.by]
      if ((last?.emoji ?? null) === data.emoji || (last && data.reactedAt < last.reactedAt)) return []
      return [{ type: 'MessageReacted', data }]
    },
    QueueReaction: (state, data) => {
      if (state.isErased) return gone
      const known = existing(state, data.messageId)
      if (known === undefined) return { rejected: 'message_not_found' }
      const progress = progressOf(known)
      if (progress === 'queued' || progress === 'failed') return { rejected: 'message_not_ready' }
      const last = changeOf(state, data.messageId).user?.emoji ?? null
      if (last === data.emoji || reactedTo(state, data.reactionId) !== undefined) return []
      return [{ type: 'ReactionQueued', data: { ...data, toOwn: writerOf(known) === 'user' } }]
    },

    MarkSeen: ({ hasUnseen }, data) => (hasUnseen ? [{ type: 'ChatSeen', data }] : []),
    EraseChat: ({ isErased }) => (isErased ? [] : [{ type: 'ChatErased', data: {} }]),
  },

  evolve: evolveChat,
}
