import type { EventOf } from '@prosa/contracts/events/all-events'
import type { chatEvents } from '@prosa/contracts/events/contacts'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { type KnownLine, writtenOver, writtenTo } from '@prosa/contracts/values/lines'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Decider } from '@prosa/kernel/domain/decider'
import { clearEntries, type Entries, entryOf, noEntries, setEntry } from '@prosa/kernel/domain/snapshots/entries'
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

export type ChatEvent = EventOf<typeof chatEvents>

export type ChatRefusal =
  | 'contact_not_found'
  | 'message_not_found'
  | 'message_not_ready'
  | 'message_not_own'
  | 'message_not_sent'

interface Reaction {
  emoji: string | null
  /** Empty if queued here: later reports are newer. */
  reactedAt: string
}

/** An edit or deletion that an attendant requested. */
interface Correction {
  messageId: string
  revision: number
  /** WhatsApp has neither accepted nor refused it. */
  isOpen: boolean
}

interface Change {
  editedAt: string | null
  /** Revision of the edited text. */
  revision: number | null
  isDeleted: boolean
  /** Ids of corrections that WhatsApp has not answered. */
  editId: string | null
  deletionId: string | null
  contact: Reaction | null
  user: Reaction | null
  /** Our reactions that may still be refused (only refusals are reported), oldest first, after the fallback (no id). */
  queued: readonly { reactionId: string | null; emoji: string | null }[]
}

const unchanged: Change = {
  editedAt: null,
  revision: null,
  isDeleted: false,
  editId: null,
  deletionId: null,
  contact: null,
  user: null,
  queued: [],
}

export interface Chat {
  /** By WhatsApp id: messages, changes, own reactions (reported again) and own corrections. */
  entries: Entries
  /** The person's latest connection comes last. */
  lines: readonly KnownLine[]
  hasUnseen: boolean
  /** By WhatsApp's clock. */
  lastReceivedAt: string
  isErased: boolean
  /** The revision of the next event. */
  length: number
}

const empty: Chat = {
  entries: noEntries,
  lines: [],
  hasUnseen: false,
  lastReceivedAt: '',
  isErased: false,
  length: 0,
}

const messageKey = (id: string) => `m ${id}`
const changeKey = (id: string) => `c ${id}`
const reactionKey = (id: string) => `r ${id}`
const correctionKey = (id: string) => `k ${id}`

export const messageOf = ({ entries }: Chat, messageId: string) => entryOf<KnownMessage>(entries, messageKey(messageId))

const changeOf = ({ entries }: Chat, messageId: string): Change =>
  entryOf<Change>(entries, changeKey(messageId)) ?? unchanged

const reactedTo = ({ entries }: Chat, reactionId: string) => entryOf<string>(entries, reactionKey(reactionId))

export const correctionOf = ({ entries }: Chat, correctionId: string) =>
  entryOf<Correction>(entries, correctionKey(correctionId))

/** WhatsApp answers for messages, reactions and corrections alike by `messageId`. */
const keysOf = ({ data }: { data: unknown }): string[] => {
  const { messageId, reactionId, ...correction } = data as Partial<
    Record<'messageId' | 'reactionId' | 'correctionId' | 'editId' | 'deletionId', string>
  >
  const { correctionId = correction.editId ?? correction.deletionId } = correction
  return [
    ...(messageId === undefined
      ? []
      : [messageKey(messageId), changeKey(messageId), reactionKey(messageId), correctionKey(messageId)]),
    ...(reactionId === undefined ? [] : [reactionKey(reactionId)]),
    ...(correctionId === undefined ? [] : [correctionKey(correctionId)]),
  ]
}

const isProgress = (chat: Chat, messageId: string, progress: Progress): boolean => {
  const known = messageOf(chat, messageId)
  return known !== undefined && isFurther(progress, progressOf(known))
}

/** Undefined if deleted. */
const existing = (chat: Chat, messageId: string): KnownMessage | undefined =>
  changeOf(chat, messageId).isDeleted ? undefined : messageOf(chat, messageId)

/** Stream revision of the message's current text. */
export const wordsAt = (chat: Chat, messageId: string): number | undefined => {
  const known = existing(chat, messageId)
  return known === undefined ? undefined : (changeOf(chat, messageId).revision ?? revisionOf(known))
}

const next = (chat: Chat, changes: Partial<Chat> = {}): Chat => ({ ...chat, ...changes, length: chat.length + 1 })

const written = (chat: Chat, messageId: string, progress: Progress, changes: Partial<Chat>): Chat =>
  next(chat, {
    entries: setEntry(chat.entries, messageKey(messageId), knownMessage(chat.length, progress)),
    ...changes,
  })

const moved = (chat: Chat, messageId: string, progress: Progress): Chat => {
  const known = messageOf(chat, messageId)
  if (known === undefined) return next(chat)
  const moved = knownMessage(revisionOf(known), progress)
  return next(chat, { entries: setEntry(chat.entries, messageKey(messageId), moved) })
}

const changed = (chat: Chat, messageId: string, change: Partial<Change>): Chat =>
  next(chat, { entries: setEntry(chat.entries, changeKey(messageId), { ...changeOf(chat, messageId), ...change }) })

/** Includes a pending edit by an attendant. */
export const wordsWrittenAt = (chat: Chat, messageId: string): number | undefined => {
  const { editId } = changeOf(chat, messageId)
  return (editId === null ? undefined : correctionOf(chat, editId)?.revision) ?? wordsAt(chat, messageId)
}

const withCorrection = (chat: Chat, id: string, messageId: string, change: Partial<Change>): Chat => {
  const after = changed(chat, messageId, change)
  const queued: Correction = { messageId, revision: chat.length, isOpen: true }
  return { ...after, entries: setEntry(after.entries, correctionKey(id), queued) }
}

const withAnswer = (chat: Chat, id: string | undefined): Chat => {
  const correction = id === undefined ? undefined : correctionOf(chat, id)
  if (id === undefined || !correction) return chat
  const { messageId } = correction
  const { editId, deletionId, ...change } = changeOf(chat, messageId)
  const left = { ...change, editId: editId === id ? null : editId, deletionId: deletionId === id ? null : deletionId }
  const entries = setEntry(chat.entries, changeKey(messageId), left)
  return { ...chat, entries: setEntry(entries, correctionKey(id), { ...correction, isOpen: false }) }
}

const isAnswered = (chat: Chat, id: string | undefined): boolean => id !== undefined && !correctionOf(chat, id)?.isOpen

const refuseChange = (state: Chat, messageId: string): { rejected: ChatRefusal } | undefined => {
  if (state.isErased) return gone
  const known = existing(state, messageId)
  if (known === undefined) return { rejected: 'message_not_found' }
  if (writerOf(known) !== 'user') return { rejected: 'message_not_own' }
  return progressOf(known) === 'failed' ? { rejected: 'message_not_sent' } : undefined
}

const without = (queued: Change['queued'], reactionId: string): Change['queued'] =>
  queued.filter((one) => one.reactionId !== reactionId)

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

  evolve: {
    MessageReceived: (state, { messageId, connectionId, sentAt, receivedAt }) => {
      const lastReceivedAt = sentAt > state.lastReceivedAt ? sentAt : state.lastReceivedAt
      const lines = writtenTo(state.lines, connectionId, receivedAt ?? sentAt)
      return written(state, messageId, 'received', { lines, hasUnseen: true, lastReceivedAt })
    },
    MessageSentElsewhere: (state, { messageId, connectionId, sentAt }) => {
      // Reported late: does not answer later input.
      const isAnswer = sentAt >= state.lastReceivedAt
      const lines = writtenOver(state.lines, connectionId)
      return written(state, messageId, 'elsewhere', isAnswer ? { lines, hasUnseen: false } : { lines })
    },
    MessageQueued: (state, { messageId, connectionId, automatic, isRefused }) => {
      // Retries do not require having seen the chat.
      const hasUnseen = state.hasUnseen && (automatic !== undefined || messageOf(state, messageId) !== undefined)
      const lines = isRefused ? state.lines : writtenOver(state.lines, connectionId)
      return written(state, messageId, 'queued', { lines, hasUnseen })
    },
    MessageSent: (state, { messageId }) => moved(state, messageId, 'sent'),
    MessageDelivered: (state, { messageId }) => moved(state, messageId, 'delivered'),
    MessageRead: (state, { messageId }) => moved(state, messageId, 'read'),
    MessageFailed: (state, { messageId }) => moved(state, messageId, 'failed'),
    MessageEdited: (state, { messageId, editedAt, correctionId }) =>
      withAnswer(changed(state, messageId, { editedAt, revision: state.length }), correctionId),
    MessageDeleted: (state, { messageId, correctionId }) =>
      withAnswer(changed(state, messageId, { isDeleted: true }), correctionId),
    EditQueued: (state, { messageId, editId }) => withCorrection(state, editId, messageId, { editId }),
    DeletionQueued: (state, { messageId, deletionId }) => withCorrection(state, deletionId, messageId, { deletionId }),
    CorrectionFailed: (state, { correctionId }) => withAnswer(next(state), correctionId),
    MessageReacted: (state, { messageId, by, emoji, reactedAt }) =>
      changed(state, messageId, { [by]: { emoji, reactedAt }, ...(by === 'user' && { queued: [] }) }),
    ReactionQueued: (state, { messageId, reactionId, emoji }) => {
      const { user, queued } = changeOf(state, messageId)
      const before = queued.length > 0 ? queued : [{ reactionId: null, emoji: user?.emoji ?? null }]
      const after = changed(state, messageId, {
        user: { emoji, reactedAt: user?.reactedAt ?? '' },
        queued: [...before, { reactionId, emoji }],
      })
      return { ...after, entries: setEntry(after.entries, reactionKey(reactionId), messageId) }
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
