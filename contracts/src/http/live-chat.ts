import { z } from 'zod'
import { connectionId, contactId, labelId, mediaId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { notKnownYet } from './not-known-yet.ts'

/** A separate file: browsers get no schemas. */
export { mediaLimits } from '../values/media-limits.ts'

export const serviceStatus = z.enum(['waiting', 'attending', 'resolved'])

/** Each conversation stands in one: `bot` waits, but a flow runs with it. */
export const queue = z.enum([...serviceStatus.options, 'bot'])

export const messageStatus = z.enum(['queued', 'sent', 'delivered', 'read', 'failed'])

/** `user`: the own side (specification, 3). */
export const sender = z.enum(['user', 'contact'])

export const messageKind = z.enum(['text', 'image', 'video', 'audio', 'document', 'sticker', 'unsupported', 'deleted'])

export const contact = z.object({
  id: contactId,
  /** The business's, else the person's name. */
  name: z.string().nullable(),
  whatsappName: z.string().nullable(),
  phone: z.string().nullable(),
  lastActivity: instant,
  serviceStatus,
  /** Null if nobody owes an answer. */
  waitingSince: instant.nullable(),
  /** Since when a flow runs with it. */
  botSince: notKnownYet(instant),
  /** Since when it waits for a person, as a flow transferred it. */
  personAskedAt: notKnownYet(instant),
  /** An attendant paused flows with it; `until` null: until resumed. */
  botPause: z.object({ since: instant, until: instant.nullable() }).nullable(),
  unreadCount: z.number().int().nonnegative(),
  /** For the line 'Novas mensagens'. */
  firstUnreadId: notKnownYet(whatsappMessageId),
  /** `content`: one line, as of a caption. */
  lastMessage: z
    .object({
      content: z.string(),
      kind: messageKind,
      sender,
      status: messageStatus.nullable(),
      isFlow: notKnownYet(z.boolean()),
    })
    .nullable(),
  /**
   * Connection for replies: last written to or chosen, else the own side's last. Null: no message yet (first connected one is used), or
   * removed (must be chosen).
   */
  connectionId: notKnownYet(connectionId),
  /** Sorted by name. */
  labels: z.array(labelId),
  /** Contacts merged into this one. */
  merged: z.array(z.object({ id: contactId, name: z.string().nullable(), phone: z.string().nullable() })),
  /** Flows exceeded a limit; until the conversation is finished or this cleared. */
  suspectedRobot: z
    .object({
      at: instant,
      reason: z.enum(['starts', 'messages']),
      count: z.int().nonnegative(),
      withinSeconds: z.int().positive(),
    })
    .nullable(),
  /** WhatsApp moved a number between accounts: this contact got (`taken_over`) or lost it (`passed_on`). */
  numberMoved: z.object({ how: z.enum(['taken_over', 'passed_on']), contactId, at: instant }).nullable(),
})

/** Of each queue; `asked` of those waiting wait for a person that they asked for. */
export const contactCounts = z.object({
  waiting: z.number().int(),
  asked: z.number().int(),
  bot: z.number().int(),
  attending: z.number().int(),
  resolved: z.number().int(),
})

export const longestWaiting = z.object({ contact: contact.nullable() })

/** `ready`: see GET /api/whatsapp/media/{id}; `waiting`: being downloaded. */
export const messageMedia = z.object({
  id: mediaId,
  status: z.enum(['waiting', 'ready', 'unavailable']),
  problem: z.string().nullable(),
  mediaType: z.string(),
  bytes: z.number().int(),
  fileName: z.string().nullable(),
  seconds: z.number().int().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Recorded, not attached. */
  voice: z.boolean(),
  /** 0 to 100. */
  waveform: z.array(z.number().int()).nullable(),
  preview: z.string().nullable(),
})

/** What happened to a conversation, between its messages; no message. In words: `lineInWords`. Names are today's. */
export const conversationLine = z.object({
  id: z.uuid(),
  at: instant,
  kind: z.enum([
    'flow_started',
    'flow_started_by_hand',
    'flow_went_on',
    'flow_transferred',
    'flow_stopped',
    'accepted',
    'finished',
    'finished_by_flow',
    'reopened',
    'resumed',
    'merged',
    'separated',
    'line_chosen',
    'robot_suspected',
    'robot_cleared',
    'bot_paused',
    'bot_resumed',
  ]),
  /** The attendant's name. */
  who: z.string().nullable(),
  /** The flow's name; null once it was deleted. */
  flow: z.string().nullable(),
  /** The connection's name; null once it was removed. */
  number: z.string().nullable(),
  /** Why a flow stopped, or a conversation waits again; of a pause how many hours. */
  reason: z.string().nullable(),
  /** It was accepted while a flow ran. */
  stopsFlow: z.boolean(),
})

export const message = z.object({
  id: whatsappMessageId,
  contactId,
  /** May be removed since. */
  connectionId: notKnownYet(connectionId),
  /** Text, caption, or a sentence for unsupported kinds. */
  content: z.string(),
  kind: messageKind,
  sender,
  timestamp: instant,
  status: messageStatus.nullable(),
  failure: z.string().nullable(),
  /** On the phone. */
  sentElsewhere: z.boolean(),
  media: messageMedia.nullable(),
  /** The answered message. */
  quoted: z.object({ id: whatsappMessageId, content: z.string(), sender: sender.nullable() }).nullable(),
  /** At most one per side. */
  reactions: z.array(z.object({ emoji: z.string(), sender })),
  editedAt: instant.nullable(),
  /** Before edit or deletion. */
  original: z.string().nullable(),
  /** Sent by a rule. */
  isAutomatic: z.literal(true).optional(),
  isFlow: z.literal(true).optional(),
  /** By the tenant's program, with a key. */
  isProgram: z.literal(true).optional(),
  /** Since the message before; absent: none. */
  linesBefore: z.array(conversationLine).optional(),
  /** Of the latest message: since it. */
  linesAfter: z.array(conversationLine).optional(),
  /** Latest pending or failed edit or deletion. */
  correction: z
    .object({
      kind: z.enum(['edit', 'deletion']),
      /** Null for a deletion. */
      content: z.string().nullable(),
      failure: z.string().nullable(),
    })
    .optional(),
})

/** Matches are between U+E000 and U+E001. */
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
export type ConversationLine = z.infer<typeof conversationLine>
export type LongestWaiting = z.infer<typeof longestWaiting>
export type Message = z.infer<typeof message>
export type MessageKind = z.infer<typeof messageKind>
export type MessageMedia = z.infer<typeof messageMedia>
export type MessageFound = z.infer<typeof messageFound>
export type Queue = z.infer<typeof queue>
export type ServiceStatus = z.infer<typeof serviceStatus>
export type MessageStatus = z.infer<typeof messageStatus>
