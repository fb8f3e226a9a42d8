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
  }),
  z.object({
    kind: z.literal('reaction'),
    target: z.object({ messageId: whatsappMessageId, isOwn: z.boolean() }),
    /** null takes the reaction back. */
    emoji: z.string().nullable(),
    at: instant,
  }),
  /** Tells who wrote these messages that they were seen. */
  z.object({ kind: z.literal('read'), messageIds: z.array(whatsappMessageId) }),
])

export type OutgoingWork = z.infer<typeof outgoingWork>

/** Whether the message follows from its work alone. Others are made ready once, and what came out of it is kept. */
export const isPlain = (work: OutgoingWork): boolean =>
  work.kind !== 'message' || (work.content.kind === 'text' && !work.content.quoted)
