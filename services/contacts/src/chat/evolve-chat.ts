import type { EventOf } from '@prosa/contracts/events/all-events'
import type { chatEvents } from '@prosa/contracts/events/contacts'
import { writtenOver, writtenTo } from '@prosa/contracts/values/lines'
import type { Decider } from '@prosa/kernel/domain/decider'
import { clearEntries, setEntry } from '@prosa/kernel/domain/snapshots/entries'
import {
  type Change,
  type Chat,
  type Correction,
  changeKey,
  changeOf,
  correctionKey,
  correctionOf,
  empty,
  messageKey,
  messageOf,
  reactionKey,
  without,
} from './chat-state.ts'
import { knownMessage, type Progress, revisionOf } from './known-message.ts'

export type ChatEvent = EventOf<typeof chatEvents>

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

export const evolveChat: Decider<never, ChatEvent, Chat, never>['evolve'] = {
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
}
