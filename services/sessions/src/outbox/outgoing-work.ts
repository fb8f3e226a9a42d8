import { whatsappMessageId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import { messageContent } from '@prosa/contracts/values/message-content'
import { z } from 'zod'

/** Stored encrypted; it suffices to build the same message again. */
export const outgoingWork = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    content: messageContent,
    /** Base64 of 32 random bytes. Phones need it to report spam; WhatsApp's clients always send it. */
    secret: z.base64(),
    /** Duration of 'typing' before the message. */
    typingSeconds: z.int().positive().optional(),
  }),
  z.object({
    kind: z.literal('reaction'),
    target: z.object({ messageId: whatsappMessageId, isOwn: z.boolean() }),
    /** null removes the reaction. */
    emoji: z.string().nullable(),
    at: instant,
  }),
  /** `until`: WhatsApp refuses it afterwards; null: no limit. */
  z.object({
    kind: z.literal('edit'),
    messageId: whatsappMessageId,
    content: messageContent,
    at: instant,
    until: instant.nullable(),
  }),
  z.object({ kind: z.literal('deletion'), messageId: whatsappMessageId, until: instant.nullable() }),
  z.object({ kind: z.literal('read'), messageIds: z.array(whatsappMessageId) }),
  z.object({ kind: z.literal('reupload'), messageId: whatsappMessageId, fromMe: z.boolean(), mediaKey: z.base64() }),
])

export type OutgoingWork = z.infer<typeof outgoingWork>

export const isSideWork = (work: OutgoingWork): work is Extract<OutgoingWork, { kind: 'read' | 'reupload' }> =>
  work.kind === 'read' || work.kind === 'reupload'

export const isCorrection = (work: OutgoingWork | null): work is Extract<OutgoingWork, { kind: 'edit' | 'deletion' }> =>
  work?.kind === 'edit' || work?.kind === 'deletion'

/** Others are prepared once and stored; 'typing' is part of that, so that it is not repeated. */
export const isPlain = (work: OutgoingWork): boolean =>
  work.kind === 'message'
    ? work.content.kind === 'text' && !work.content.quoted && !work.typingSeconds
    : work.kind !== 'edit' || work.content.kind === 'text'
