import { z } from 'zod'
import { contactId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { messageContent } from '../values/message-content.ts'
import { erasedContent, erasedText, personal } from '../values/personal.ts'
import { phone } from '../values/phone.ts'

/** Stream `connection-<id>`: the life of one WhatsApp connection. */
export const connectionEvents = {
  /** A subscriber asked for a new connection. */
  ConnectionAdded: z.object({
    name: personal(z.string(), erasedText),
    /** Which network it links to; absent: the one that the process is set to. Only development has simulated phones. */
    network: z.enum(['whatsapp', 'simulator']).optional(),
  }),
  /** Linking began, at first or again: WhatsApp was asked for QR codes until `until`. */
  LinkingStarted: z.object({ until: instant }),
  /** An attempt to link has to wait: the process that has the line opens no more handshakes for now. `LinkingStarted` follows. */
  LinkingDelayed: z.object({}),
  /** WhatsApp issued the next QR code; its image is a secret and not part of the fact. */
  QrCodeIssued: z.object({ expiresAt: instant }),
  /** WhatsApp issued a pairing code for this phone, to be typed there; the code is a secret and not part of the fact. */
  PairingCodeIssued: z.object({ phone: personal(phone.nullable(), null), expiresAt: instant }),
  /** Nobody scanned before the codes ran out. */
  LinkingExpired: z.object({}),
  /** A phone scanned the code: the connection now has a number. */
  NumberLinked: z.object({
    phone: personal(phone.nullable(), null),
    lid: personal(z.string().nullable(), null),
    pushName: personal(z.string().nullable(), erasedText),
  }),
  /** The line to WhatsApp is up: messages flow. */
  LineOpened: z.object({}),
  /** The line went down for a reason that heals; code is WhatsApp's close code. */
  LineDropped: z.object({ code: z.number().int(), reason: z.string() }),
  /** Another program took over this device (440): we do not fight for it. */
  ConnectionReplaced: z.object({}),
  /** WhatsApp refuses the number (403, 406, 411, 500 again and again, for a while with 402) and a person must look. */
  ConnectionRefused: z.object({ code: z.number().int(), reason: z.string() }),
  /** The phone removed us from its linked devices (401); credentials are gone. */
  NumberUnlinked: z.object({}),
  /** The subscriber disconnected; credentials are gone. */
  ConnectionDisconnected: z.object({}),
  /** The subscriber deleted the connection. */
  ConnectionRemoved: z.object({}),
}

/** What an edit, a deletion or a reaction is about: a message, the chat it is in, and who did it. */
const about = {
  /** The message that is edited, deleted or reacted to. */
  messageId: whatsappMessageId,
  chatJid: personal(z.string(), erasedText),
  alternateJid: personal(z.string().nullable(), null),
  fromMe: z.boolean(),
}

/** Stream `line-<connectionId>`: what was received from the WhatsApp network, first and raw. */
export const lineEvents = {
  /** A message reached this line, live (`notify`), or queued while we were away or written on the phone (`append`). */
  MessageArrived: z.object({
    messageId: whatsappMessageId,
    /** The chat, as WhatsApp addresses it: `…@lid` or `…@s.whatsapp.net`. */
    chatJid: personal(z.string(), erasedText),
    /** The same person's other address, when WhatsApp reported it. */
    alternateJid: personal(z.string().nullable(), null),
    fromMe: z.boolean(),
    pushName: personal(z.string().nullable(), erasedText),
    sentAt: instant,
    via: z.enum(['notify', 'append']),
    content: personal(messageContent, erasedContent),
    /** The whole WhatsApp message (WebMessageInfo protobuf) in base64, so that nothing that we do not read yet is lost. */
    raw: personal(z.base64(), ''),
  }),
  /** Somebody changed a message that had arrived on this line, or on the phone. `editId` is the id of the change itself. */
  EditArrived: z.object({
    ...about,
    editId: whatsappMessageId,
    editedAt: instant,
    content: personal(messageContent, erasedContent),
  }),
  /** Somebody took a message back for everyone. */
  DeletionArrived: z.object({ ...about, deletionId: whatsappMessageId, deletedAt: instant }),
  /** Somebody reacted to a message; `emoji` null takes the reaction back. */
  ReactionArrived: z.object({
    ...about,
    reactionId: whatsappMessageId,
    reactedAt: instant,
    emoji: personal(z.string().nullable(), null),
  }),
  /** WhatsApp's server took a message of ours. */
  MessageDispatched: z.object({ messageId: whatsappMessageId, contactId }),
  /** The contact's device received, or the contact read or played, a message of ours. */
  DeliveryReported: z.object({
    messageId: whatsappMessageId,
    contactId,
    status: z.enum(['delivered', 'read', 'played']),
  }),
  /** WhatsApp refused a message of ours, or it cannot be sent. */
  DispatchFailed: z.object({ messageId: whatsappMessageId, contactId, code: z.string() }),
}

/** Stream `media-<id>`: what became of a file that belongs to a message. */
export const mediaEvents = {
  /** The file is in our storage; `mediaType` was found out from its bytes. `contactId` is null for what nobody was sent yet. */
  MediaStored: z.object({
    contactId: contactId.nullable(),
    mediaType: z.string(),
    bytes: z.number().int().nonnegative(),
    /** SHA-256, hexadecimal. */
    sha256: z.string(),
  }),
  /**
   * The file could not be had, and why: gone from WhatsApp, too large, not of the type that it claims, from an address of no
   * trust, or its tenant may keep no more.
   */
  MediaUnavailable: z.object({
    contactId,
    reason: z.enum(['expired', 'too_large', 'wrong_type', 'foreign_host', 'damaged', 'out_of_reach', 'no_room']),
  }),
  /** Somebody asked to fetch it once more. */
  MediaAskedAgain: z.object({ contactId }),
  /** The file was deleted: its contact or its account was erased, or nobody was sent it within a day. */
  MediaErased: z.object({}),
}
