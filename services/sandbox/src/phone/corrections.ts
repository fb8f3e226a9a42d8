import { proto } from '@whiskeysockets/baileys'

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

/** @param at when it was edited, in milliseconds since 1970 */
export const edited = (key: proto.IMessageKey, text: string, at: number): proto.IMessage => ({
  protocolMessage: { key, type: MESSAGE_EDIT, editedMessage: { conversation: text }, timestampMs: at },
})

export const deleted = (key: proto.IMessageKey): proto.IMessage => ({ protocolMessage: { key, type: REVOKE } })

/** `emoji` null removes the reaction. */
export const reaction = (key: proto.IMessageKey, emoji: string | null, at: number): proto.IMessage => ({
  reactionMessage: { key, text: emoji ?? '', senderTimestampMs: at },
})
