import { whatsappMessageId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import { messageContent } from '@prosa/contracts/values/message-content'
import { z } from 'zod'

/** What is to be sent, as the outbox keeps it, sealed. With nothing but this the same message can be made again. */
export const outgoingWork = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    content: messageContent,
    /** Base64 of 32 random bytes. Phones need it to report a message as spam; WhatsApp's own clients always send it. */
    secret: z.base64(),
    /** How long the contact is shown that somebody writes before it goes. */
    typingSeconds: z.int().positive().optional(),
  }),
  z.object({
    kind: z.literal('reaction'),
    target: z.object({ messageId: whatsappMessageId, isOwn: z.boolean() }),
    /** null takes the reaction back. */
    emoji: z.string().nullable(),
    at: instant,
  }),
  /** Changes the content of an own message. `until`: WhatsApp takes it no more after that; null: any time. */
  z.object({
    kind: z.literal('edit'),
    messageId: whatsappMessageId,
    content: messageContent,
    at: instant,
    until: instant.nullable(),
  }),
  /** Takes an own message back for everyone. */
  z.object({ kind: z.literal('deletion'), messageId: whatsappMessageId, until: instant.nullable() }),
  /** Shows who wrote these messages that they were seen. */
  z.object({ kind: z.literal('read'), messageIds: z.array(whatsappMessageId) }),
  /** Asks the own phone for the file of a message that WhatsApp forgot. */
  z.object({ kind: z.literal('reupload'), messageId: whatsappMessageId, fromMe: z.boolean(), mediaKey: z.base64() }),
])

export type OutgoingWork = z.infer<typeof outgoingWork>

/** Whether nothing of it is a message: its outcome is reported to nobody. */
export const isErrand = (work: OutgoingWork): work is Extract<OutgoingWork, { kind: 'read' | 'reupload' }> =>
  work.kind === 'read' || work.kind === 'reupload'

/** Whether it changes a message that went before it. */
export const isCorrection = (work: OutgoingWork | null): work is Extract<OutgoingWork, { kind: 'edit' | 'deletion' }> =>
  work?.kind === 'edit' || work?.kind === 'deletion'

/**
 * Whether the message follows from its work alone. Others are made ready once, and what came out of it is kept; showing that
 * somebody writes is a part of that, so that it is not shown again once it was.
 */
export const isPlain = (work: OutgoingWork): boolean =>
  work.kind === 'message'
    ? work.content.kind === 'text' && !work.content.quoted && !work.typingSeconds
    : work.kind !== 'edit' || work.content.kind === 'text'
