import type { EventOf } from '@prosa/contracts/events/all-events'
import type { chatEvents } from '@prosa/contracts/events/contacts'
import { contactSubject } from '@prosa/contracts/events/subjects'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Decider } from '@prosa/kernel/decider'
import { clearEntries, type Entries, entryOf, noEntries, setEntry } from '@prosa/kernel/snapshots/entries'
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
  /**
   * By WhatsApp's ids: every message (`messageKey`); what became of some (`changeKey`); and to which message each reaction goes that was
   * queued here (`reactionKey`), because WhatsApp tells us of it again.
   */
  entries: Entries
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
  entries: noEntries,
  lastConnectionId: null,
  hasUnseen: false,
  lastReceivedAt: '',
  isErased: false,
  length: 0,
}

const messageKey = (id: string) => `m ${id}`
const changeKey = (id: string) => `c ${id}`
const reactionKey = (id: string) => `r ${id}`

/** A message and how far it has got; undefined when the chat does not know it. */
export const messageOf = ({ entries }: Chat, messageId: string) => entryOf<KnownMessage>(entries, messageKey(messageId))

const changeOf = ({ entries }: Chat, messageId: string): Change =>
  entryOf<Change>(entries, changeKey(messageId)) ?? unchanged

const reactedTo = ({ entries }: Chat, reactionId: string) => entryOf<string>(entries, reactionKey(reactionId))

const keysOf = ({ data }: { data: unknown }): string[] => {
  const { messageId, reactionId } = data as { messageId?: string; reactionId?: string }
  return [
    ...(messageId === undefined ? [] : [messageKey(messageId), changeKey(messageId), reactionKey(messageId)]),
    ...(reactionId === undefined ? [] : [reactionKey(reactionId)]),
  ]
}

const isNews = (chat: Chat, messageId: string, progress: Progress): boolean => {
  const known = messageOf(chat, messageId)
  return known !== undefined && isFurther(progress, progressOf(known))
}

/** A message that is there and was not taken back. */
const standing = (chat: Chat, messageId: string): KnownMessage | undefined =>
  changeOf(chat, messageId).isDeleted ? undefined : messageOf(chat, messageId)

/** At which revision of the stream the words of a message stand now; undefined when there are none. */
export const wordsAt = (chat: Chat, messageId: string): number | undefined => {
  const known = standing(chat, messageId)
  return known === undefined ? undefined : (changeOf(chat, messageId).revision ?? revisionOf(known))
}

const next = (chat: Chat, news: Partial<Chat> = {}): Chat => ({ ...chat, ...news, length: chat.length + 1 })

const written = (chat: Chat, messageId: string, progress: Progress, news: Partial<Chat>): Chat =>
  next(chat, { entries: setEntry(chat.entries, messageKey(messageId), knownMessage(chat.length, progress)), ...news })

const moved = (chat: Chat, messageId: string, progress: Progress): Chat => {
  const known = messageOf(chat, messageId)
  if (known === undefined) return next(chat)
  const moved = knownMessage(revisionOf(known), progress)
  return next(chat, { entries: setEntry(chat.entries, messageKey(messageId), moved) })
}

const changed = (chat: Chat, messageId: string, change: Partial<Change>): Chat =>
  next(chat, { entries: setEntry(chat.entries, changeKey(messageId), { ...changeOf(chat, messageId), ...change }) })

const without = (queued: Change['queued'], reactionId: string): Change['queued'] =>
  queued.filter((one) => one.reactionId !== reactionId)

const gone = { rejected: 'contact_not_found' } as const

/** Every message of one contact and how far it got. A message id counts once, however often it is told. */
export const chat: Decider<ChatCommand, ChatEvent, Chat, ChatRefusal> = {
  initial: empty,
  saving: {
    decider: 'chat',
    version: 1,
    subject: ({ id }) => contactSubject(id),
    // An emoji says something about the person; a message is known by a number.
    entries: { keysOf, personal: (key) => (key.startsWith('c ') ? 'stream' : undefined) },
  },

  decide: {
    ReceiveMessage: (state, data) => {
      if (state.isErased) return gone
      return messageOf(state, data.messageId) !== undefined ? [] : [{ type: 'MessageReceived', data }]
    },
    RecordMessageSentElsewhere: (state, data) => {
      if (state.isErased) return gone
      return messageOf(state, data.messageId) !== undefined ? [] : [{ type: 'MessageSentElsewhere', data }]
    },
    QueueMessage: (state, data) => {
      if (state.isErased) return gone
      const known = messageOf(state, data.messageId)
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
      const messageId = reactedTo(state, reactionId)
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
      if (standing(state, data.messageId) === undefined || reactedTo(state, reactionId) !== undefined) return []
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
      if (last === data.emoji || reactedTo(state, data.reactionId) !== undefined) return []
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
      const hasUnseen = state.hasUnseen && messageOf(state, messageId) !== undefined
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
      const after = changed(state, messageId, {
        user: { emoji, reactedAt: user?.reactedAt ?? '' },
        queued: [...before, { reactionId, emoji }],
      })
      const entries = setEntry(after.entries, reactionKey(reactionId), messageId)
      return { ...after, entries, lastConnectionId: connectionId }
    },
    ReactionFailed: (state, { messageId, reactionId, emoji }) => {
      const { user, queued } = changeOf(state, messageId)
      return changed(state, messageId, {
        user: { emoji, reactedAt: user?.reactedAt ?? '' },
        queued: without(queued, reactionId),
      })
    },
    ChatSeen: (state) => next(state, { hasUnseen: false }),
    ChatErased: ({ entries, length }) => ({
      ...empty,
      entries: clearEntries(entries),
      isErased: true,
      length: length + 1,
    }),
  },
}
