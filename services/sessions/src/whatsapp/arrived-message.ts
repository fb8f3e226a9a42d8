import type { MessageContent } from '@prosa/contracts/values/message-content'
import { jidNormalizedUser, normalizeMessageContent, proto, toNumber, type WAMessage } from '@whiskeysockets/baileys'
import type { ArrivedMessage } from '../line.ts'

/** What travels as a message and is none: news about other messages, and keys. */
const notMessages = new Set([
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'pollUpdateMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
  'deviceSentMessage',
  'call',
])

/**
 * Base64 characters; a message that is larger is kept without its raw form, as an append holds 1 MiB at most and encryption
 * adds a third.
 */
const longestRaw = 500_000

const personJid = /^\d+@(lid|s\.whatsapp\.net)$/

const normalized = (jid: string | null | undefined): string | undefined => {
  const person = jid ? jidNormalizedUser(jid) : ''
  return personJid.test(person) ? person : undefined
}

const contentOf = (message: proto.IMessage | null | undefined): MessageContent | undefined => {
  const content = normalizeMessageContent(message)
  if (!content) return undefined
  const text = content.conversation || content.extendedTextMessage?.text
  if (text) return { kind: 'text', text }
  const type = Object.entries(content).find(([name, value]) => value && !notMessages.has(name))?.[0]
  return type === undefined ? undefined : { kind: 'unsupported', type }
}

const rawOf = (message: WAMessage): string => {
  const bytes = proto.WebMessageInfo.encode(proto.WebMessageInfo.fromObject(message)).finish()
  const raw = Buffer.from(bytes).toString('base64')
  return raw.length > longestRaw ? '' : raw
}

/**
 * A message of a conversation between two people, as it is recorded; undefined for groups, channels, status posts,
 * undecryptable stubs, and everything that is not a message by itself. `now` serves where WhatsApp sent no time.
 */
export const arrivedMessage = (message: WAMessage, via: 'notify' | 'append', now: Date): ArrivedMessage | undefined => {
  const { key, messageStubType, category, pushName } = message
  const chatJid = normalized(key.remoteJid)
  if (!chatJid || !key.id || messageStubType || category === 'peer') return undefined
  const content = contentOf(message.message)
  if (!content) return undefined
  const seconds = toNumber(message.messageTimestamp)
  return {
    messageId: key.id,
    chatJid,
    alternateJid: normalized(key.remoteJidAlt) ?? null,
    fromMe: key.fromMe === true,
    pushName: pushName ?? null,
    sentAt: (seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : now).toISOString(),
    via,
    content,
    raw: rawOf(message),
  }
}
