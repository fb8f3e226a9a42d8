import { z } from 'zod'

/** Every id that we make is a UUID in lower case; ids that WhatsApp makes are `whatsappMessageId`. */
export const id = z.uuid().toLowerCase()

export const userId = id
export const contactId = id
export const connectionId = id
export const mediaId = id
export const quickReplyId = id
export const labelId = id
export const contactNoteId = id

/** The id of a message in WhatsApp's own network: hexadecimal for those we send, anything printable for the rest. */
export const whatsappMessageId = z.string().min(1).max(128)

/** What stands behind `/r/` in a link of a flow's message. */
export const flowLinkToken = z.string().regex(/^[\w-]{16,64}$/)

export type UserId = z.infer<typeof userId>
export type ContactId = z.infer<typeof contactId>
export type ConnectionId = z.infer<typeof connectionId>
export type WhatsappMessageId = z.infer<typeof whatsappMessageId>
