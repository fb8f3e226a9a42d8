import { normalizeMessageContent, proto, type WAMessage } from '@whiskeysockets/baileys'
import type { Arrival } from '../../domain/line.ts'
import { personJidOf } from './person-jid.ts'
import { readContent } from './read-content.ts'
import { untrustedCount, untrustedId, untrustedText } from './untrusted-input.ts'

/**
 * Bytes of JSON; larger messages lose their raw form: an append holds at most 1 MiB and encryption adds a third. Text takes at most
 * 400,000.
 */
const maxWholeBytes = 700_000
const maxNameLength = 500
/** Characters of one emoji with its joiners. */
const maxEmojiLength = 64

const { CIPHERTEXT } = proto.WebMessageInfo.StubType
const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

/** The id must not reveal the chat's address. */
export type FileId = (chatJid: string, messageId: string, fromMe: boolean) => string

export interface Circumstances {
  via: 'notify' | 'append'
  /** Used where WhatsApp sent no time. */
  now: Date
  fileId: FileId
}

const rawOf = (message: WAMessage): string => {
  try {
    const bytes = proto.WebMessageInfo.encode(proto.WebMessageInfo.fromObject(message)).finish()
    return Buffer.from(bytes).toString('base64')
  } catch {
    // Some malformed values fit an object but cannot be encoded.
    return ''
  }
}

const maxTime = 1e14
const instantOf = (ms: number | undefined, now: Date) => (ms && ms < maxTime ? new Date(ms) : now).toISOString()

/** `fromMe` is from the author's view, who alone may change the message. */
const ownMessage = (key: proto.IMessageKey | null | undefined) =>
  key?.fromMe === true ? untrustedId(key.id) : undefined

export const isUndecrypted = ({ key, messageStubType, category }: WAMessage): boolean =>
  messageStubType === CIPHERTEXT && category !== 'peer' && personJidOf(key.remoteJid) !== undefined

export const unreadable = { unreadable: true } as proto.IMessage

interface ReceivedMessage {
  id: string
  chat: { chatJid: string; alternateJid: string | null; fromMe: boolean }
  sentAt: string
  now: Date
  fileId: FileId
}

const editOf = (
  { id, chat, sentAt, now, fileId }: ReceivedMessage,
  { key, editedMessage, timestampMs }: proto.Message.IProtocolMessage,
): Arrival | undefined => {
  const messageId = ownMessage(key)
  const content = messageId && readContent(editedMessage, () => fileId(chat.chatJid, messageId, chat.fromMe))
  if (!messageId || !content) return undefined
  const claimed = untrustedCount(timestampMs)
  const editedAt = claimed ? instantOf(claimed, now) : sentAt
  return { type: 'RecordEdit', data: { ...chat, messageId, editId: id, editedAt, content } }
}

const deletionOf = (
  { id, chat, sentAt }: ReceivedMessage,
  { key }: proto.Message.IProtocolMessage,
): Arrival | undefined => {
  const messageId = ownMessage(key)
  if (!messageId) return undefined
  return { type: 'RecordDeletion', data: { ...chat, messageId, deletionId: id, deletedAt: sentAt } }
}

const reactionOf = (
  { id, chat, sentAt, now }: ReceivedMessage,
  { key, text, senderTimestampMs }: proto.Message.IReactionMessage,
): Arrival | undefined => {
  const messageId = untrustedId(key?.id)
  if (!messageId || (typeof text === 'string' && text.length > maxEmojiLength)) return undefined
  const claimed = untrustedCount(senderTimestampMs)
  const reactedAt = claimed ? instantOf(claimed, now) : sentAt
  return {
    type: 'RecordReaction',
    data: { ...chat, messageId, reactionId: id, reactedAt, emoji: untrustedText(text, maxEmojiLength) || null },
  }
}

const readArrival = (message: WAMessage, { via, now, fileId }: Circumstances): Arrival | undefined => {
  const { key, messageStubType, category, pushName } = message
  const chatJid = personJidOf(key.remoteJid)
  const id = untrustedId(key.id)
  if (!chatJid || !id || messageStubType || category === 'peer') return undefined
  const chat = { chatJid, alternateJid: personJidOf(key.remoteJidAlt) ?? null, fromMe: key.fromMe === true }
  const sentAt = instantOf((untrustedCount(message.messageTimestamp) ?? 0) * 1000, now)
  const received: ReceivedMessage = { id, chat, sentAt, now, fileId }
  const inner = normalizeMessageContent(message.message)
  if (inner?.protocolMessage) {
    const { type } = inner.protocolMessage
    // All other types are between the devices of one person.
    if (type === MESSAGE_EDIT) return editOf(received, inner.protocolMessage)
    return type === REVOKE ? deletionOf(received, inner.protocolMessage) : undefined
  }
  if (inner?.reactionMessage) return reactionOf(received, inner.reactionMessage)
  // WhatsApp withholds these from linked devices.
  const content =
    key.isViewOnce && !inner ? onlyOnThePhone : readContent(message.message, () => fileId(chatJid, id, chat.fromMe))
  if (!content) return undefined
  const data = {
    ...chat,
    messageId: id,
    pushName: untrustedText(pushName, maxNameLength) || null,
    sentAt,
    via,
    content,
  }
  const raw = rawOf(message)
  const size = Buffer.byteLength(JSON.stringify(data)) + raw.length
  return { type: 'RecordArrival', data: { ...data, raw: size > maxWholeBytes ? '' : raw } }
}

const onlyOnThePhone = { kind: 'unsupported', type: 'viewOnceMessage' } as const

/**
 * undefined for groups, channels, status posts, undecryptable stubs and other stanzas. Never throws: unreadable content is recorded as
 * such.
 */
export const arrivalOf = (message: WAMessage, circumstances: Circumstances): Arrival | undefined => {
  try {
    return readArrival(message, circumstances)
  } catch {
    return readArrival({ ...message, message: unreadable }, circumstances)
  }
}
