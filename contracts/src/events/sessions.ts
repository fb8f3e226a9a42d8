import { z } from 'zod'
import { contactId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { messageContent } from '../values/message-content.ts'
import { erasedContent, erasedText, personal } from '../values/personal.ts'
import { phone } from '../values/phone.ts'

/** Stream `connection-<id>`. */
export const connectionEvents = {
  /** A user added a connection. */
  ConnectionAdded: z.object({
    name: personal(z.string(), erasedText),
    /** Absent: the process's default. `simulator` only in development. */
    network: z.enum(['whatsapp', 'simulator']).optional(),
  }),
  /** WhatsApp issues QR codes until `until`. */
  LinkingStarted: z.object({ until: instant }),
  /** Linking waits for the process's handshake limit; `LinkingStarted` follows. */
  LinkingDelayed: z.object({}),
  /** WhatsApp issued a QR code; the image is a secret, not stored. */
  QrCodeIssued: z.object({ expiresAt: instant }),
  /** WhatsApp issued a pairing code, a secret, not stored. */
  PairingCodeIssued: z.object({ phone: personal(phone.nullable(), null), expiresAt: instant }),
  /** Nobody scanned in time. */
  LinkingExpired: z.object({}),
  /** A phone scanned: the connection has a number. */
  NumberLinked: z.object({
    phone: personal(phone.nullable(), null),
    lid: personal(z.string().nullable(), null),
    pushName: personal(z.string().nullable(), erasedText),
  }),
  /** The line to WhatsApp is connected. */
  LineOpened: z.object({}),
  /** The line dropped temporarily. `code` is WhatsApp's. */
  LineDropped: z.object({ code: z.number().int(), reason: z.string() }),
  /** Another program took over (440); we do not reconnect. */
  ConnectionReplaced: z.object({}),
  /** WhatsApp refuses the number (403, 406, 411, repeated 500, temporarily 402); a person must act. */
  ConnectionRefused: z.object({ code: z.number().int(), reason: z.string() }),
  /** The phone removed this device (401); credentials are deleted. */
  NumberUnlinked: z.object({}),
  /** The user disconnected; credentials are deleted. */
  ConnectionDisconnected: z.object({}),
  /** The user deleted the connection. */
  ConnectionRemoved: z.object({}),
}

const about = {
  messageId: whatsappMessageId,
  chatJid: personal(z.string(), erasedText),
  alternateJid: personal(z.string().nullable(), null),
  fromMe: z.boolean(),
}

/** Stream `line-<connectionId>`: raw input from WhatsApp. */
export const lineEvents = {
  /** A message arrived: live (`notify`), offline or from the phone (`append`). */
  MessageArrived: z.object({
    messageId: whatsappMessageId,
    /** `…@lid` or `…@s.whatsapp.net`. */
    chatJid: personal(z.string(), erasedText),
    /** The person's other address, if known. */
    alternateJid: personal(z.string().nullable(), null),
    fromMe: z.boolean(),
    pushName: personal(z.string().nullable(), erasedText),
    sentAt: instant,
    via: z.enum(['notify', 'append']),
    content: personal(messageContent, erasedContent),
    /** WebMessageInfo protobuf in base64, complete for later use. */
    raw: personal(z.base64(), ''),
  }),
  /** Somebody edited it; `editId` is the edit. */
  EditArrived: z.object({
    ...about,
    editId: whatsappMessageId,
    editedAt: instant,
    content: personal(messageContent, erasedContent),
  }),
  /** Somebody deleted a message for everyone. */
  DeletionArrived: z.object({ ...about, deletionId: whatsappMessageId, deletedAt: instant }),
  /** Somebody reacted; `emoji` null removes it. */
  ReactionArrived: z.object({
    ...about,
    reactionId: whatsappMessageId,
    reactedAt: instant,
    emoji: personal(z.string().nullable(), null),
  }),
  /** WhatsApp's server accepted our message. */
  MessageDispatched: z.object({ messageId: whatsappMessageId, contactId }),
  /** The device received it, or the contact read or played it. */
  DeliveryReported: z.object({
    messageId: whatsappMessageId,
    contactId,
    status: z.enum(['delivered', 'read', 'played']),
  }),
  /** WhatsApp refused it, or it cannot be sent. */
  DispatchFailed: z.object({ messageId: whatsappMessageId, contactId, code: z.string() }),
}

/** Stream `media-<id>`. */
export const mediaEvents = {
  /** It is stored; `mediaType` is detected. `contactId` is null before sending. */
  MediaStored: z.object({
    contactId: contactId.nullable(),
    mediaType: z.string(),
    bytes: z.number().int().nonnegative(),
    /** SHA-256, hexadecimal. */
    sha256: z.string(),
  }),
  /** Unavailable: expired, too large, wrong type, untrusted address or over quota. */
  MediaUnavailable: z.object({
    contactId,
    reason: z.enum(['expired', 'too_large', 'wrong_type', 'foreign_host', 'damaged', 'out_of_reach', 'no_room']),
  }),
  /** Another download was requested. */
  MediaAskedAgain: z.object({ contactId }),
  /** Deleted: its contact or account was erased, or it was unsent for a day. */
  MediaErased: z.object({}),
}
