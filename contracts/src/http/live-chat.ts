import { z } from 'zod'
import { connectionId, contactId, labelId, mediaId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { notKnownYet } from './not-known-yet.ts'

/** Apart, so that a browser gets the numbers without the schemas. */
export { mediaLimits } from '../values/media-limits.ts'

export const serviceStatus = z.enum(['waiting', 'attending', 'resolved'])

export const messageStatus = z.enum(['queued', 'sent', 'delivered', 'read', 'failed'])

/** `user` is the own side, as in the specification, 3. */
export const sender = z.enum(['user', 'contact'])

/** What a message is, by which the screen chooses how to show it. `deleted`: its writer took it back. */
export const messageKind = z.enum(['text', 'image', 'video', 'audio', 'document', 'sticker', 'unsupported', 'deleted'])

export const contact = z.object({
  id: contactId,
  /** What the business calls the person, or else their own name on WhatsApp. */
  name: z.string().nullable(),
  /** Their own name on WhatsApp. */
  whatsappName: z.string().nullable(),
  phone: z.string().nullable(),
  lastActivity: instant,
  serviceStatus,
  /**
   * Since when the contact has been waiting for an answer; null when nobody waits: attended, resolved, answered on the phone,
   * never received from.
   */
  waitingSince: instant.nullable(),
  unreadCount: z.number().int().nonnegative(),
  /** The oldest message that nobody has seen, where the line 'Novas mensagens' stands; null when there is none, too. */
  firstUnreadId: notKnownYet(whatsappMessageId),
  /** `content` is one line of text: for a picture its caption, or what it is. */
  lastMessage: z
    .object({ content: z.string(), kind: messageKind, sender, status: messageStatus.nullable() })
    .nullable(),
  /**
   * The line of the conversation: over which connection answers leave. It is the one that the person wrote to last, or that an attendant
   * chose since; where neither is so, the one over which the own side wrote. Null where there is none: nobody wrote yet (the server
   * takes the first one that is connected), or its connection was removed (then an attendant has to choose).
   */
  connectionId: notKnownYet(connectionId),
  /** The labels that the contact has, by their names. */
  labels: z.array(labelId),
  /** Contacts that turned out to be the same person and stand behind this one. */
  merged: z.array(z.object({ id: contactId, name: z.string().nullable(), phone: z.string().nullable() })),
  /** Flows started or spoke too often with the contact, and pause until the conversation is finished or somebody says that it is no robot. */
  suspectedRobot: z
    .object({
      at: instant,
      reason: z.enum(['starts', 'messages']),
      count: z.int().nonnegative(),
      withinSeconds: z.int().positive(),
    })
    .nullable(),
  /**
   * WhatsApp moved a number to another account, perhaps another person's: this contact has one that was the other's (`taken_over`), or
   * has lost its own (`passed_on`). `contactId` is the other.
   */
  numberMoved: z.object({ how: z.enum(['taken_over', 'passed_on']), contactId, at: instant }).nullable(),
})

/** How many contacts stand in each tab. */
export const contactCounts = z.object({
  waiting: z.number().int(),
  attending: z.number().int(),
  resolved: z.number().int(),
})

/** Who has been waiting longest; null when nobody waits. */
export const longestWaiting = z.object({ contact: contact.nullable() })

/** The file of a message. `ready`: GET /api/whatsapp/media/{id} has it; `waiting`: it is on its way from WhatsApp. */
export const messageMedia = z.object({
  id: mediaId,
  status: z.enum(['waiting', 'ready', 'unavailable']),
  /** Why it is unavailable, in a sentence. */
  problem: z.string().nullable(),
  mediaType: z.string(),
  bytes: z.number().int(),
  fileName: z.string().nullable(),
  seconds: z.number().int().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** A voice message, not an attached file. */
  voice: z.boolean(),
  /** Loudness of a voice message, 0 to 100. */
  waveform: z.array(z.number().int()).nullable(),
  /** A tiny picture to show meanwhile, as a data URL. */
  preview: z.string().nullable(),
})

export const message = z.object({
  id: whatsappMessageId,
  contactId,
  /** Over which connection it came, or goes; it may have been removed since. */
  connectionId: notKnownYet(connectionId),
  /** The text or caption; for kinds that Prosa cannot show yet, a Portuguese sentence that names what arrived. */
  content: z.string(),
  kind: messageKind,
  sender,
  timestamp: instant,
  /** Null for messages of the contact. */
  status: messageStatus.nullable(),
  /** Why a failed message failed, in a sentence. */
  failure: z.string().nullable(),
  /** True when the own side wrote it on the phone, not here. */
  sentElsewhere: z.boolean(),
  media: messageMedia.nullable(),
  /** The message that this one answers. */
  quoted: z.object({ id: whatsappMessageId, content: z.string(), sender: sender.nullable() }).nullable(),
  /** At most one of each side. */
  reactions: z.array(z.object({ emoji: z.string(), sender })),
  /** When it was last edited; null when never. */
  editedAt: instant.nullable(),
  /** The first words of an edited or deleted message; null for all others. */
  original: z.string().nullable(),
  /** A rule of the business sent it, nobody wrote it; absent from all others. */
  isAutomatic: z.literal(true).optional(),
  /** That rule was a flow; absent from all others. */
  isFlow: z.literal(true).optional(),
  /** An attendant's latest edit or deletion that the contact does not see: it is on its way, or failed. Absent when there is none. */
  correction: z
    .object({
      kind: z.enum(['edit', 'deletion']),
      /** The new words of the message; null for a deletion. */
      content: z.string().nullable(),
      /** Why it failed, in a sentence; null while it is on its way. */
      failure: z.string().nullable(),
    })
    .optional(),
})

/** `excerpt` has the words found marked by U+E000 before and U+E001 after each. */
export const messageFound = z.object({
  messageId: whatsappMessageId,
  contactId,
  contactName: z.string().nullable(),
  contactPhone: z.string().nullable(),
  sender,
  timestamp: instant,
  excerpt: z.string(),
})

export type Contact = z.infer<typeof contact>
export type ContactCounts = z.infer<typeof contactCounts>
export type LongestWaiting = z.infer<typeof longestWaiting>
export type Message = z.infer<typeof message>
export type MessageKind = z.infer<typeof messageKind>
export type MessageMedia = z.infer<typeof messageMedia>
export type MessageFound = z.infer<typeof messageFound>
export type ServiceStatus = z.infer<typeof serviceStatus>
export type MessageStatus = z.infer<typeof messageStatus>
