import type { EventOf } from '@prosa/contracts/events/all-events'
import type { chatEvents } from '@prosa/contracts/events/contacts'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Decider } from '@prosa/kernel/decider'
import { Map as PersistentMap } from 'immutable'
import {
  isFurther,
  type KnownMessage,
  knownMessage,
  type Progress,
  progressOf,
  revisionOf,
  writerOf,
} from './known-message.ts'

type Arrival = { messageId: string; connectionId: string; content: MessageContent; sentAt: string }
type About = { messageId: string }
/** `user` is the own side. */
type By = { by: 'contact' | 'user' }

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
  /** Of a message, or of a reaction by its own id. */
  | { type: 'MarkFailed'; data: About & { code: string } }
  | { type: 'EditMessage'; data: About & By & { content: MessageContent; editedAt: string } }
  | { type: 'DeleteMessage'; data: About & By & { deletedAt: string } }
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

export type ChatEvent = EventOf<typeof chatEvents>

export type ChatRefusal = 'contact_not_found' | 'message_not_found' | 'message_not_ready'

interface Reaction {
  emoji: string | null
  /** Empty for one that was queued here: what WhatsApp tells of later ones is newer. */
  reactedAt: string
}

/** What became of a message after it was written; few have any of it. */
interface Change {
  editedAt: string | null
  /** The revision at which its words stand now, once edited. */
  revision: number | null
  isDeleted: boolean
  contact: Reaction | null
  user: Reaction | null
  /**
   * The own side's reactions that may still be refused, oldest first: only refusals are told. Before them what stands if all
   * are, without an id. Empty when none was queued since the own side reacted elsewhere.
   */
  queued: readonly { reactionId: string | null; emoji: string | null }[]
}

const unchanged: Change = { editedAt: null, revision: null, isDeleted: false, contact: null, user: null, queued: [] }

export interface Chat {
  /** Every message by its WhatsApp id. Persistent, so that folding a long chat stays cheap. */
  messages: PersistentMap<string, KnownMessage>
  changes: PersistentMap<string, Change>
  /** To which message each reaction goes that was queued here, by its id: WhatsApp tells us of it again. */
  ownReactions: PersistentMap<string, string>
  /** Over which line they last spoke. */
  lastConnectionId: string | null
  hasUnseen: boolean
  /** When the contact wrote last, by WhatsApp's clock. */
  lastReceivedAt: string
  /** The contact was erased: nothing is said here any more. */
  isErased: boolean
  /** How many events there are: the revision of the next one. */
  length: number
}

const empty: Chat = {
  messages: PersistentMap(),
  changes: PersistentMap(),
  ownReactions: PersistentMap(),
  lastConnectionId: null,
  hasUnseen: false,
  lastReceivedAt: '',
  isErased: false,
  length: 0,
}

const changeOf = ({ changes }: Chat, messageId: string): Change => changes.get(messageId) ?? unchanged

const isNews = ({ messages }: Chat, messageId: string, progress: Progress): boolean => {
  const known = messages.get(messageId)
  return known !== undefined && isFurther(progress, progressOf(known))
}

/** A message that is there and was not taken back. */
const standing = (chat: Chat, messageId: string): KnownMessage | undefined =>
  changeOf(chat, messageId).isDeleted ? undefined : chat.messages.get(messageId)

/** At which revision of the stream the words of a message stand now; undefined when there are none. */
export const wordsAt = (chat: Chat, messageId: string): number | undefined => {
  const known = standing(chat, messageId)
  return known === undefined ? undefined : (changeOf(chat, messageId).revision ?? revisionOf(known))
}

const next = (chat: Chat, news: Partial<Chat> = {}): Chat => ({ ...chat, ...news, length: chat.length + 1 })

const written = (chat: Chat, messageId: string, progress: Progress, news: Partial<Chat>): Chat =>
  next(chat, { messages: chat.messages.set(messageId, knownMessage(chat.length, progress)), ...news })

const moved = (chat: Chat, messageId: string, progress: Progress): Chat => {
  const known = chat.messages.get(messageId)
  if (known === undefined) return next(chat)
  return next(chat, { messages: chat.messages.set(messageId, knownMessage(revisionOf(known), progress)) })
}

const changed = (chat: Chat, messageId: string, change: Partial<Change>): Chat =>
  next(chat, { changes: chat.changes.set(messageId, { ...changeOf(chat, messageId), ...change }) })

const without = (queued: Change['queued'], reactionId: string): Change['queued'] =>
  queued.filter((one) => one.reactionId !== reactionId)

const gone = { rejected: 'contact_not_found' } as const

/** Every message of one contact and how far it got. A message id counts once, however often it is told. */
export const chat: Decider<ChatCommand, ChatEvent, Chat, ChatRefusal> = {
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
      if (known === undefined) return [{ type: 'MessageQueued', data }]
      return progressOf(known) === 'failed' ? [{ type: 'MessageQueued', data: { ...data, isRetry: true } }] : []
    },
    MarkSent: (state, data) => (isNews(state, data.messageId, 'sent') ? [{ type: 'MessageSent', data }] : []),
    MarkDelivered: (state, data) =>
      isNews(state, data.messageId, 'delivered') ? [{ type: 'MessageDelivered', data }] : [],
    MarkRead: (state, data) => (isNews(state, data.messageId, 'read') ? [{ type: 'MessageRead', data }] : []),
    MarkFailed: (state, data) => {
      if (isNews(state, data.messageId, 'failed')) return [{ type: 'MessageFailed', data }]
      const { messageId: reactionId, code } = data
      const messageId = state.ownReactions.get(reactionId)
      if (messageId === undefined) return []
      const { queued } = changeOf(state, messageId)
      const left = without(queued, reactionId)
      if (left.length === queued.length) return []
      return [{ type: 'ReactionFailed', data: { reactionId, messageId, code, emoji: left.at(-1)?.emoji ?? null } }]
    },

    // A message that is not known may be older than the linking; one that somebody else wrote is not theirs to change.
    EditMessage: (state, { by, ...data }) => {
      const known = standing(state, data.messageId)
      if (known === undefined || writerOf(known) !== by) return []
      const { editedAt } = changeOf(state, data.messageId)
      return editedAt !== null && data.editedAt <= editedAt ? [] : [{ type: 'MessageEdited', data }]
    },
    DeleteMessage: (state, data) => {
      const known = standing(state, data.messageId)
      return known === undefined || writerOf(known) !== data.by ? [] : [{ type: 'MessageDeleted', data }]
    },
    ReactToMessage: (state, { reactionId, ...data }) => {
      if (standing(state, data.messageId) === undefined || state.ownReactions.has(reactionId)) return []
      const last = changeOf(state, data.messageId)[data.by]
      if ((last?.emoji ?? null) === data.emoji || (last && data.reactedAt < last.reactedAt)) return []
      return [{ type: 'MessageReacted', data }]
    },
    QueueReaction: (state, data) => {
      if (state.isErased) return gone
      const known = standing(state, data.messageId)
      if (known === undefined) return { rejected: 'message_not_found' }
      const progress = progressOf(known)
      if (progress === 'queued' || progress === 'failed') return { rejected: 'message_not_ready' }
      const last = changeOf(state, data.messageId).user?.emoji ?? null
      if (last === data.emoji || state.ownReactions.has(data.reactionId)) return []
      return [{ type: 'ReactionQueued', data: { ...data, toOwn: writerOf(known) === 'user' } }]
    },

    MarkSeen: ({ hasUnseen }, data) => (hasUnseen ? [{ type: 'ChatSeen', data }] : []),
    EraseChat: ({ isErased }) => (isErased ? [] : [{ type: 'ChatErased', data: {} }]),
  },

  evolve: {
    MessageReceived: (state, { messageId, connectionId, sentAt }) => {
      const lastReceivedAt = sentAt > state.lastReceivedAt ? sentAt : state.lastReceivedAt
      return written(state, messageId, 'received', { lastConnectionId: connectionId, hasUnseen: true, lastReceivedAt })
    },
    MessageSentElsewhere: (state, { messageId, connectionId, sentAt }) => {
      // Told late: it answers nothing that was written after it.
      const isAnswer = sentAt >= state.lastReceivedAt
      return written(
        state,
        messageId,
        'elsewhere',
        isAnswer ? { lastConnectionId: connectionId, hasUnseen: false } : {},
      )
    },
    MessageQueued: (state, { messageId, connectionId }) => {
      // Nobody need have looked at the chat to try again what failed.
      const hasUnseen = state.hasUnseen && state.messages.has(messageId)
      return written(state, messageId, 'queued', { lastConnectionId: connectionId, hasUnseen })
    },
    MessageSent: (state, { messageId }) => moved(state, messageId, 'sent'),
    MessageDelivered: (state, { messageId }) => moved(state, messageId, 'delivered'),
    MessageRead: (state, { messageId }) => moved(state, messageId, 'read'),
    MessageFailed: (state, { messageId }) => moved(state, messageId, 'failed'),
    MessageEdited: (state, { messageId, editedAt }) => changed(state, messageId, { editedAt, revision: state.length }),
    MessageDeleted: (state, { messageId }) => changed(state, messageId, { isDeleted: true }),
    MessageReacted: (state, { messageId, by, emoji, reactedAt }) =>
      changed(state, messageId, { [by]: { emoji, reactedAt }, ...(by === 'user' && { queued: [] }) }),
    ReactionQueued: (state, { messageId, reactionId, connectionId, emoji }) => {
      const { user, queued } = changeOf(state, messageId)
      const before = queued.length > 0 ? queued : [{ reactionId: null, emoji: user?.emoji ?? null }]
      return {
        ...changed(state, messageId, {
          user: { emoji, reactedAt: user?.reactedAt ?? '' },
          queued: [...before, { reactionId, emoji }],
        }),
        ownReactions: state.ownReactions.set(reactionId, messageId),
        lastConnectionId: connectionId,
      }
    },
    ReactionFailed: (state, { messageId, reactionId, emoji }) => {
      const { user, queued } = changeOf(state, messageId)
      return changed(state, messageId, {
        user: { emoji, reactedAt: user?.reactedAt ?? '' },
        queued: without(queued, reactionId),
      })
    },
    ChatSeen: (state) => next(state, { hasUnseen: false }),
    ChatErased: ({ length }) => ({ ...empty, isErased: true, length: length + 1 }),
  },
}
