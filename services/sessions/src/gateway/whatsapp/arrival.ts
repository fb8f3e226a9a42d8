import { normalizeMessageContent, proto, type WAMessage } from '@whiskeysockets/baileys'
import type { Arrival } from '../../line/line.ts'
import { personJidOf } from './person-jid.ts'
import { readContent } from './read-content.ts'
import { untrustedCount, untrustedId, untrustedText } from './untrusted-input.ts'

/**
 * Bytes of JSON; a message that is larger is kept without its raw form, as an append holds 1 MiB at most and encryption adds a
 * third. Without it every message fits: its longest text takes 400,000.
 */
const largestWhole = 700_000
const maxNameLength = 500
/** Characters of one emoji with everything that joins onto it. */
const maxEmojiLength = 64

const { CIPHERTEXT } = proto.WebMessageInfo.StubType
const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

/** Under which a file of a message is stored. It must not reveal the chat's address to who can read ids. */
export type FileId = (chatJid: string, messageId: string, fromMe: boolean) => string

export interface Circumstances {
  via: 'notify' | 'append'
  /** Serves where WhatsApp sent no time. */
  now: Date
  fileId: FileId
}

const rawOf = (message: WAMessage): string => {
  try {
    const bytes = proto.WebMessageInfo.encode(proto.WebMessageInfo.fromObject(message)).finish()
    return Buffer.from(bytes).toString('base64')
  } catch {
    // Some malformed values fit an object and cannot be encoded; what could be read of it is recorded.
    return ''
  }
}

const latest = 1e14
const instantOf = (ms: number | undefined, now: Date) => (ms && ms < latest ? new Date(ms) : now).toISOString()

/** The author's own view: `fromMe` names a message of the author, who alone may change it. */
const ownMessage = (key: proto.IMessageKey | null | undefined) =>
  key?.fromMe === true ? untrustedId(key.id) : undefined

/** Whether this stands for a message between two people that could not be decrypted. */
export const isUndecrypted = ({ key, messageStubType, category }: WAMessage): boolean =>
  messageStubType === CIPHERTEXT && category !== 'peer' && personJidOf(key.remoteJid) !== undefined

/** Stands for a message that is no protobuf message at all, or lies about its own shape. */
export const unreadable = { unreadable: true } as proto.IMessage

interface ReceivedMessage {
  id: string
  place: { chatJid: string; alternateJid: string | null; fromMe: boolean }
  sentAt: string
  now: Date
  fileId: FileId
}

const editOf = (
  { id, place, sentAt, now, fileId }: ReceivedMessage,
  { key, editedMessage, timestampMs }: proto.Message.IProtocolMessage,
): Arrival | undefined => {
  const messageId = ownMessage(key)
  const content = messageId && readContent(editedMessage, () => fileId(place.chatJid, messageId, place.fromMe))
  if (!messageId || !content) return undefined
  const claimed = untrustedCount(timestampMs)
  const editedAt = claimed ? instantOf(claimed, now) : sentAt
  return { type: 'RecordEdit', data: { ...place, messageId, editId: id, editedAt, content } }
}

const deletionOf = (
  { id, place, sentAt }: ReceivedMessage,
  { key }: proto.Message.IProtocolMessage,
): Arrival | undefined => {
  const messageId = ownMessage(key)
  if (!messageId) return undefined
  return { type: 'RecordDeletion', data: { ...place, messageId, deletionId: id, deletedAt: sentAt } }
}

const reactionOf = (
  { id, place, sentAt, now }: ReceivedMessage,
  { key, text, senderTimestampMs }: proto.Message.IReactionMessage,
): Arrival | undefined => {
  const messageId = untrustedId(key?.id)
  if (!messageId || (typeof text === 'string' && text.length > maxEmojiLength)) return undefined
  const claimed = untrustedCount(senderTimestampMs)
  const reactedAt = claimed ? instantOf(claimed, now) : sentAt
  return {
    type: 'RecordReaction',
    data: { ...place, messageId, reactionId: id, reactedAt, emoji: untrustedText(text, maxEmojiLength) || null },
  }
}

const readArrival = (message: WAMessage, { via, now, fileId }: Circumstances): Arrival | undefined => {
  const { key, messageStubType, category, pushName } = message
  const chatJid = personJidOf(key.remoteJid)
  const id = untrustedId(key.id)
  if (!chatJid || !id || messageStubType || category === 'peer') return undefined
  const place = { chatJid, alternateJid: personJidOf(key.remoteJidAlt) ?? null, fromMe: key.fromMe === true }
  const sentAt = instantOf((untrustedCount(message.messageTimestamp) ?? 0) * 1000, now)
  const received: ReceivedMessage = { id, place, sentAt, now, fileId }
  const inner = normalizeMessageContent(message.message)
  if (inner?.protocolMessage) {
    const { type } = inner.protocolMessage
    // Everything else that it may carry is between the devices of one person.
    if (type === MESSAGE_EDIT) return editOf(received, inner.protocolMessage)
    return type === REVOKE ? deletionOf(received, inner.protocolMessage) : undefined
  }
  if (inner?.reactionMessage) return reactionOf(received, inner.reactionMessage)
  // WhatsApp keeps these from linked devices: only the phone can open them.
  const content =
    key.isViewOnce && !inner ? onlyOnThePhone : readContent(message.message, () => fileId(chatJid, id, place.fromMe))
  if (!content) return undefined
  const data = {
    ...place,
    messageId: id,
    pushName: untrustedText(pushName, maxNameLength) || null,
    sentAt,
    via,
    content,
  }
  const raw = rawOf(message)
  const wholeBytes = Buffer.byteLength(JSON.stringify(data)) + raw.length
  return { type: 'RecordArrival', data: { ...data, raw: wholeBytes > largestWhole ? '' : raw } }
}

const onlyOnThePhone = { kind: 'unsupported', type: 'viewOnceMessage' } as const

/**
 * What a message of a conversation between two people brings, as it is recorded; undefined for groups, channels, status posts,
 * undecryptable stubs, and everything that is neither a message nor about one. Never throws: what cannot be read is a message
 * that is named.
 */
export const arrivalOf = (message: WAMessage, circumstances: Circumstances): Arrival | undefined => {
  try {
    return readArrival(message, circumstances)
  } catch {
    // The content is not of the shape that it claims: that there was a message is all that is known.
    return readArrival({ ...message, message: unreadable }, circumstances)
  }
}
