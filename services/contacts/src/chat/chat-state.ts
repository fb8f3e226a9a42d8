import type { KnownLine } from '@prosa/contracts/values/lines'
import { type Entries, entryOf, noEntries } from '@prosa/kernel/domain/snapshots/entries'
import { type KnownMessage, revisionOf } from './known-message.ts'

interface Reaction {
  emoji: string | null
  /** Empty if queued here: later reports are newer. */
  reactedAt: string
}

/** An edit or deletion that an attendant requested. */
export interface Correction {
  messageId: string
  revision: number
  /** WhatsApp has neither accepted nor refused it. */
  isOpen: boolean
}

export interface Change {
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

export const empty: Chat = {
  entries: noEntries,
  lines: [],
  hasUnseen: false,
  lastReceivedAt: '',
  isErased: false,
  length: 0,
}

export const messageKey = (id: string) => `m ${id}`
export const changeKey = (id: string) => `c ${id}`
export const reactionKey = (id: string) => `r ${id}`
export const correctionKey = (id: string) => `k ${id}`

export const messageOf = ({ entries }: Chat, messageId: string) => entryOf<KnownMessage>(entries, messageKey(messageId))

export const changeOf = ({ entries }: Chat, messageId: string): Change =>
  entryOf<Change>(entries, changeKey(messageId)) ?? unchanged

export const reactedTo = ({ entries }: Chat, reactionId: string) => entryOf<string>(entries, reactionKey(reactionId))

export const correctionOf = ({ entries }: Chat, correctionId: string) =>
  entryOf<Correction>(entries, correctionKey(correctionId))

/** WhatsApp answers for messages, reactions and corrections alike by `messageId`. */
export const keysOf = ({ data }: { data: unknown }): string[] => {
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

/** Undefined if deleted. */
export const existing = (chat: Chat, messageId: string): KnownMessage | undefined =>
  changeOf(chat, messageId).isDeleted ? undefined : messageOf(chat, messageId)

/** Stream revision of the message's current text. */
export const wordsAt = (chat: Chat, messageId: string): number | undefined => {
  const known = existing(chat, messageId)
  return known === undefined ? undefined : (changeOf(chat, messageId).revision ?? revisionOf(known))
}

/** Includes a pending edit by an attendant. */
export const wordsWrittenAt = (chat: Chat, messageId: string): number | undefined => {
  const { editId } = changeOf(chat, messageId)
  return (editId === null ? undefined : correctionOf(chat, editId)?.revision) ?? wordsAt(chat, messageId)
}

export const without = (queued: Change['queued'], reactionId: string): Change['queued'] =>
  queued.filter((one) => one.reactionId !== reactionId)
