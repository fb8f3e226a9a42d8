import { z } from 'zod'

export const id = z.uuid().toLowerCase()

export const userId = id
export const contactId = id
export const connectionId = id
export const mediaId = id
export const quickReplyId = id
export const labelId = id
export const contactFieldId = id
export const contactNoteId = id

/** Hexadecimal for messages we send, otherwise any text. */
export const whatsappMessageId = z.string().min(1).max(128)

/** Follows `/r/` in a link. */
export const flowLinkToken = z.string().regex(/^[\w-]{16,64}$/)

export type UserId = z.infer<typeof userId>
export type ContactId = z.infer<typeof contactId>
export type ConnectionId = z.infer<typeof connectionId>
export type WhatsappMessageId = z.infer<typeof whatsappMessageId>
