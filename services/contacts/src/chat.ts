import type { EventOf } from '@prosa/contracts/events/all-events'
import type { chatEvents } from '@prosa/contracts/events/contacts'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Decider } from '@prosa/kernel/decider'
import { Map as PersistentMap } from 'immutable'

type Arrival = { messageId: string; connectionId: string; content: MessageContent; sentAt: string }
type About = { messageId: string }

export type ChatCommand =
  | { type: 'ReceiveMessage'; data: Arrival }
  | { type: 'RecordMessageSentElsewhere'; data: Arrival }
  | {
      type: 'QueueMessage'
      data: { messageId: string; connectionId: string; toJid: string; content: MessageContent; attendantId: string }
    }
  | { type: 'MarkSent'; data: About }
  | { type: 'MarkDelivered'; data: About }
  | { type: 'MarkRead'; data: About }
  | { type: 'MarkFailed'; data: About & { code: string } }
  | { type: 'MarkSeen'; data: { attendantId: string } }
  | { type: 'EraseChat'; data: Record<never, never> }

export type ChatEvent = EventOf<typeof chatEvents>

/** How far a message of ours has got; ticks only move forward, whatever order the receipts come in. */
type Progress = 'arrived' | 'queued' | 'failed' | 'sent' | 'delivered' | 'read'
const rank: Record<Progress, number> = { arrived: 9, queued: 0, failed: 1, sent: 2, delivered: 3, read: 4 }

export interface Chat {
  /** Every message by its WhatsApp id. Persistent, so that folding a long chat stays cheap. */
  messages: PersistentMap<string, Progress>
  hasUnseen: boolean
  /** The contact was erased: nothing is said here any more. */
  isErased: boolean
}

const isNews = ({ messages }: Chat, messageId: string, progress: Progress): boolean => {
  const known = messages.get(messageId)
  return known !== undefined && rank[known] < rank[progress]
}

const moved = (chat: Chat, messageId: string, progress: Progress): Chat => ({
  ...chat,
  messages: chat.messages.set(messageId, progress),
})

const gone = { rejected: 'contact_not_found' } as const
const empty: Chat = { messages: PersistentMap(), hasUnseen: false, isErased: false }

/** Every message of one contact and how far it got. A message id counts once, however often it is told. */
export const chat: Decider<ChatCommand, ChatEvent, Chat, 'contact_not_found'> = {
  initial: empty,

  decide: {
    ReceiveMessage: ({ messages, isErased }, data) => {
      if (isErased) return gone
      return messages.has(data.messageId) ? [] : [{ type: 'MessageReceived', data }]
    },
    RecordMessageSentElsewhere: ({ messages, isErased }, data) => {
      if (isErased) return gone
      return messages.has(data.messageId) ? [] : [{ type: 'MessageSentElsewhere', data }]
    },
    QueueMessage: ({ messages, isErased }, data) => {
      if (isErased) return gone
      const known = messages.get(data.messageId)
      return known && known !== 'failed' ? [] : [{ type: 'MessageQueued', data }]
    },
    MarkSent: (state, data) => (isNews(state, data.messageId, 'sent') ? [{ type: 'MessageSent', data }] : []),
    MarkDelivered: (state, data) =>
      isNews(state, data.messageId, 'delivered') ? [{ type: 'MessageDelivered', data }] : [],
    MarkRead: (state, data) => (isNews(state, data.messageId, 'read') ? [{ type: 'MessageRead', data }] : []),
    MarkFailed: (state, data) => (isNews(state, data.messageId, 'failed') ? [{ type: 'MessageFailed', data }] : []),
    MarkSeen: ({ hasUnseen }, data) => (hasUnseen ? [{ type: 'ChatSeen', data }] : []),
    EraseChat: ({ isErased }) => (isErased ? [] : [{ type: 'ChatErased', data: {} }]),
  },

  evolve: {
    MessageReceived: (state, { messageId }) => ({ ...moved(state, messageId, 'arrived'), hasUnseen: true }),
    MessageSentElsewhere: (state, { messageId }) => ({ ...moved(state, messageId, 'arrived'), hasUnseen: false }),
    MessageQueued: (state, { messageId }) => ({ ...moved(state, messageId, 'queued'), hasUnseen: false }),
    MessageSent: (state, { messageId }) => moved(state, messageId, 'sent'),
    MessageDelivered: (state, { messageId }) => moved(state, messageId, 'delivered'),
    MessageRead: (state, { messageId }) => moved(state, messageId, 'read'),
    MessageFailed: (state, { messageId }) => moved(state, messageId, 'failed'),
    ChatSeen: (state) => ({ ...state, hasUnseen: false }),
    ChatErased: () => ({ ...empty, isErased: true }),
  },
}
