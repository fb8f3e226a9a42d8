import { normalizeMessageContent, proto, type WAMessage } from '@whiskeysockets/baileys'
import type { Arrival } from '../line.ts'
import { personJidOf } from './person-jid.ts'
import { readContent } from './read-content.ts'
import { saidCount, saidId, saidText } from './said.ts'

/**
 * Bytes of JSON; a message that is larger is kept without its raw form, as an append holds 1 MiB at most and encryption adds a
 * third. Without it every message fits: its longest text takes 400,000.
 */
const largestWhole = 700_000
const longestName = 500
/** Characters of one emoji with everything that joins onto it. */
const longestEmoji = 64

const { CIPHERTEXT } = proto.WebMessageInfo.StubType
const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

/** Under which a file of a message is stored. It must not tell the chat's address to who can read ids. */
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
    // Some lies can be told in an object and not be written as bytes; what could be read of it is recorded.
    return ''
  }
}

const latest = 1e14
const instantOf = (milliseconds: number | undefined, now: Date) =>
  (milliseconds && milliseconds < latest ? new Date(milliseconds) : now).toISOString()

/** The author's own view: `fromMe` names a message of the author, who alone may change it. */
const ownMessage = (key: proto.IMessageKey | null | undefined) => (key?.fromMe === true ? saidId(key.id) : undefined)

/** Whether this stands for a message between two people that could not be decrypted. */
export const isUndecrypted = ({ key, messageStubType, category }: WAMessage): boolean =>
  messageStubType === CIPHERTEXT && category !== 'peer' && personJidOf(key.remoteJid) !== undefined

/** Stands for a message that is no protobuf message at all, or lies about its own shape. */
export const unreadable = { unreadable: true } as proto.IMessage

interface Heard {
  id: string
  place: { chatJid: string; alternateJid: string | null; fromMe: boolean }
  sentAt: string
  now: Date
  fileId: FileId
}

const editOf = (
  { id, place, sentAt, now, fileId }: Heard,
  { key, editedMessage, timestampMs }: proto.Message.IProtocolMessage,
): Arrival | undefined => {
  const messageId = ownMessage(key)
  const content = messageId && readContent(editedMessage, () => fileId(place.chatJid, messageId, place.fromMe))
  if (!messageId || !content) return undefined
  const said = saidCount(timestampMs)
  const editedAt = said ? instantOf(said, now) : sentAt
  return { type: 'RecordEdit', data: { ...place, messageId, editId: id, editedAt, content } }
}

const deletionOf = ({ id, place, sentAt }: Heard, { key }: proto.Message.IProtocolMessage): Arrival | undefined => {
  const messageId = ownMessage(key)
  if (!messageId) return undefined
  return { type: 'RecordDeletion', data: { ...place, messageId, deletionId: id, deletedAt: sentAt } }
}

const reactionOf = (
  { id, place, sentAt, now }: Heard,
  { key, text, senderTimestampMs }: proto.Message.IReactionMessage,
): Arrival | undefined => {
  const messageId = saidId(key?.id)
  if (!messageId || (typeof text === 'string' && text.length > longestEmoji)) return undefined
  const said = saidCount(senderTimestampMs)
  const reactedAt = said ? instantOf(said, now) : sentAt
  return {
    type: 'RecordReaction',
    data: { ...place, messageId, reactionId: id, reactedAt, emoji: saidText(text, longestEmoji) || null },
  }
}

const readArrival = (message: WAMessage, { via, now, fileId }: Circumstances): Arrival | undefined => {
  const { key, messageStubType, category, pushName } = message
  const chatJid = personJidOf(key.remoteJid)
  const id = saidId(key.id)
  if (!chatJid || !id || messageStubType || category === 'peer') return undefined
  const place = { chatJid, alternateJid: personJidOf(key.remoteJidAlt) ?? null, fromMe: key.fromMe === true }
  const sentAt = instantOf((saidCount(message.messageTimestamp) ?? 0) * 1000, now)
  const heard: Heard = { id, place, sentAt, now, fileId }
  const inner = normalizeMessageContent(message.message)
  if (inner?.protocolMessage) {
    const { type } = inner.protocolMessage
    // Everything else that it may say is between the devices of one person.
    if (type === MESSAGE_EDIT) return editOf(heard, inner.protocolMessage)
    return type === REVOKE ? deletionOf(heard, inner.protocolMessage) : undefined
  }
  if (inner?.reactionMessage) return reactionOf(heard, inner.reactionMessage)
  // WhatsApp keeps these from linked devices: only the phone can open them.
  const content =
    key.isViewOnce && !inner ? onlyOnThePhone : readContent(message.message, () => fileId(chatJid, id, place.fromMe))
  if (!content) return undefined
  const data = { ...place, messageId: id, pushName: saidText(pushName, longestName) || null, sentAt, via, content }
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
    // The content lies about its own shape: that there was a message is all that can be said.
    return readArrival({ ...message, message: unreadable }, circumstances)
  }
}
