import { z } from 'zod'
import { connectionId, contactId, mediaId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { maximumTextLength } from '../values/lengths.ts'

/** Apart, so that a browser gets the numbers without the schemas. */
export { mediaLimits } from '../values/media-limits.ts'

export const serviceStatus = z.enum(['waiting', 'attending', 'resolved'])

export const messageStatus = z.enum(['queued', 'sent', 'delivered', 'read', 'failed'])

/** `user` is the own side, as in the specification, 3. */
export const sender = z.enum(['user', 'contact'])

/** What a message is, by which the screen chooses how to show it. `deleted`: its writer took it back. */
export const messageKind = z.enum(['text', 'image', 'video', 'audio', 'document', 'sticker', 'unsupported', 'deleted'])

/**
 * GET /api/whatsapp/contacts[?status=waiting|attending|resolved][&search=…][&cursor=…] → `contact[]`, latest activity first,
 * with `status=waiting` who waits longest first, 50 a page (`prosa-next-cursor`). `search` filters by name or phone, without accents. Without a status, those of all.
 * GET /api/whatsapp/contacts/{id} → `contact`.
 */
export const contact = z.object({
  id: contactId,
  /** What the business calls the person, or else their own name on WhatsApp. */
  name: z.string().nullable(),
  /** Their own name on WhatsApp. */
  whatsappName: z.string().nullable(),
  phone: z.string().nullable(),
  lastActivity: instant,
  serviceStatus,
  /** Since when the contact has been waiting for an answer; null when nobody waits: attended, resolved, answered on the phone, never heard. */
  waitingSince: instant.nullable(),
  unreadCount: z.number().int().nonnegative(),
  /** The oldest message that nobody has seen, where the line 'Novas mensagens' stands; null when there is none. */
  firstUnreadId: whatsappMessageId.nullable(),
  /** `content` is one line of text: for a picture its caption, or what it is. */
  lastMessage: z
    .object({ content: z.string(), kind: messageKind, sender, status: messageStatus.nullable() })
    .nullable(),
  /** Contacts that turned out to be the same person and stand behind this one. */
  merged: z.array(z.object({ id: contactId, name: z.string().nullable(), phone: z.string().nullable() })),
  /**
   * WhatsApp moved a number to another account, perhaps another person's: this contact has one that was the other's (`taken_over`), or
   * has lost its own (`passed_on`). `contactId` is the other.
   */
  numberMoved: z.object({ how: z.enum(['taken_over', 'passed_on']), contactId, at: instant }).nullable(),
})

/** GET /api/whatsapp/contact-counts → how many contacts stand in each tab. */
export const contactCounts = z.object({
  waiting: z.number().int(),
  attending: z.number().int(),
  resolved: z.number().int(),
})

/**
 * GET /api/whatsapp/longest-waiting[?except=contactId] → who has been waiting longest, apart from that one; null when nobody
 * waits.
 */
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

/**
 * GET /api/whatsapp/contacts/{id}/messages[?cursor=…|?after=…|?around=messageId] → `message[]`, ascending, 100 a page. Without a parameter the
 * latest; `prosa-next-cursor` leads to older ones (`cursor`), `prosa-newer-cursor` to newer ones (`after`), where there are some.
 */
export const message = z.object({
  id: whatsappMessageId,
  contactId,
  /** The text or caption; for kinds that Prosa cannot show yet, a Portuguese sentence saying what arrived. */
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
  /** What an edited or deleted message said at first; null for all others. */
  original: z.string().nullable(),
  /** An attendant's latest edit or deletion that the contact does not see: it is on its way, or failed. Absent when there is none. */
  correction: z
    .object({
      kind: z.enum(['edit', 'deletion']),
      /** What the message is to say; null for a deletion. */
      content: z.string().nullable(),
      /** Why it failed, in a sentence; null while it is on its way. */
      failure: z.string().nullable(),
    })
    .optional(),
})

/**
 * GET /api/whatsapp/search?q=…[&contactId=…][&cursor=…] → `messageFound[]`: messages whose text holds every word, without accents, the latest
 * first, 20 a page. With a contact, only those of its conversation.
 * `excerpt` has the words found marked by U+E000 before and U+E001 after each.
 */
export const messageFound = z.object({
  messageId: whatsappMessageId,
  contactId,
  contactName: z.string().nullable(),
  contactPhone: z.string().nullable(),
  sender,
  timestamp: instant,
  excerpt: z.string(),
})

/** PATCH /api/whatsapp/contacts/{id}/status → 200 `contactStatus`. */
export const changeStatusBody = z.object({
  status: z.enum(['attending', 'resolved'], { error: 'Escolha aceitar ou finalizar.' }),
})
/** POST /api/whatsapp/contacts/{id}/reopen → 200 `contactStatus`: what was finished is attended again, by who asks. */
export const contactStatus = z.object({ id: contactId, serviceStatus })

/** POST /api/whatsapp/contacts → 201 `contactAdded`; adding a known number leads to the contact that exists. */
export const addContactBody = z.object({
  phone: z
    .string({ error: 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)' })
    .transform((value) => value.replace(/\D/g, ''))
    .pipe(z.string().regex(/^55[1-9]\d\d{8,9}$/, 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)')),
})
export const contactAdded = z.object({ id: contactId, phone: z.string(), serviceStatus })

const clientMessageId = z
  .string()
  .regex(/^3EB0[0-9A-F]{18}$/, 'Identificador de mensagem inválido.')
  .optional()

/**
 * POST /api/whatsapp/send-message → 202 `messageAccepted`: stored, and on its way, or waiting for the line of its number to come
 * back; where no number was ever linked, it is refused. `messageId` is optional: a client that
 * makes it (`3EB0` and 18 upper-case hexadecimal digits) may repeat the request without sending twice. One that failed is sent
 * anew by it, as it is asked for now; where the quoted message is gone meanwhile, without it. The id of a message to another contact is
 * refused (409 `message_id_taken`). An answer accepts a waiting conversation; the repetition of a failed one does not. With `media` the
 * message is the caption and may be blank.
 */
export const sendMessageBody = z
  .object({
    connectionId: z.uuid('Nenhuma conexão WhatsApp ativa encontrada'),
    contactId: z.uuid('Contato não encontrado.'),
    message: z
      .string({ error: 'Escreva uma mensagem.' })
      .max(maximumTextLength, 'A mensagem pode ter no máximo 4.096 caracteres.')
      .default(''),
    messageId: clientMessageId,
    /** A file that POST /api/whatsapp/media took. */
    media: z
      .object({
        id: mediaId,
        /** How it is to be shown; what the file is not, it cannot be sent as. */
        as: z.enum(['image', 'video', 'audio', 'voice', 'document', 'sticker']),
        fileName: z.string().max(255, 'O nome do arquivo pode ter no máximo 255 caracteres.').optional(),
        seconds: z.number().int().min(0).max(86_400).optional(),
        width: z.number().int().min(1).max(20_000).optional(),
        height: z.number().int().min(1).max(20_000).optional(),
        /** Base64 of at most 64 bytes, 0 to 100 each. */
        waveform: z.base64().max(88).optional(),
        /** A JPEG of at most 12 kB, base64. */
        preview: z.base64().max(16_384).optional(),
      })
      .optional(),
    quotedMessageId: whatsappMessageId.optional(),
  })
  .refine(({ message, media }) => media !== undefined || message.trim() !== '', {
    path: ['message'],
    error: 'Escreva uma mensagem.',
  })
export const messageAccepted = z.object({ id: whatsappMessageId, contactId, connectionId, status: messageStatus })

/**
 * PATCH /api/whatsapp/contacts/{id}/messages/{messageId} → 202 `correctionAccepted`: a text or caption of the own side is changed for
 * everyone, over the connection that sent it. DELETE of the same takes the message back for everyone.
 */
export const editMessageBody = z.object({
  message: z
    .string({ error: 'Escreva uma mensagem.' })
    .max(maximumTextLength, 'A mensagem pode ter no máximo 4.096 caracteres.')
    .refine((text) => text.trim() !== '', 'Escreva uma mensagem.'),
})
export const correctionAccepted = z.object({ messageId: whatsappMessageId, contactId })

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })
/** '👍🏽', '❤️', '🇧🇷', '1️⃣' */
const isOneEmoji = (text: string) =>
  [...graphemes.segment(text)].length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)

/** POST /api/whatsapp/contacts/{id}/messages/{messageId}/reaction → 202 `reactionAccepted`; null takes the reaction back. */
export const reactionBody = z.object({
  connectionId: z.uuid('Nenhuma conexão WhatsApp ativa encontrada'),
  emoji: z.string({ error: 'Escolha uma reação.' }).refine(isOneEmoji, 'Escolha um emoji.').nullable(),
})
export const reactionAccepted = z.object({ messageId: whatsappMessageId, contactId, emoji: z.string().nullable() })

/**
 * POST /api/whatsapp/media (the bytes as they are, `content-type: application/octet-stream`) → 201 `mediaAccepted`: the file is kept, its type found out from its bytes.
 * GET /api/whatsapp/media/{id}[?download=name] → the file, by ranges too. POST /api/whatsapp/media/{id}/retry → 202 `mediaRetried`.
 */
export const mediaAccepted = z.object({ id: mediaId, mediaType: z.string(), bytes: z.number().int() })
export const mediaRetried = z.object({ id: mediaId })

/** POST /api/whatsapp/contacts/{id}/separate → 200 `contactSeparated`: takes a merge back; `contactId` stands for itself again. */
export const separateBody = z.object({ contactId: z.uuid('Contato não encontrado.') })
export const contactSeparated = z.object({ id: contactId, contactId })

/** DELETE /api/whatsapp/contacts/{id} → 200 `contactErased`: everything personal about the contact is erased for good. */
export const contactErased = z.object({ id: contactId })

/** POST /api/whatsapp/contacts/{id}/seen → 200 `contactSeen`: the unread count becomes 0. */
export const contactSeen = z.object({ id: contactId })

export type Contact = z.infer<typeof contact>
export type ContactCounts = z.infer<typeof contactCounts>
export type LongestWaiting = z.infer<typeof longestWaiting>
export type Message = z.infer<typeof message>
export type MessageKind = z.infer<typeof messageKind>
export type MessageMedia = z.infer<typeof messageMedia>
export type MessageFound = z.infer<typeof messageFound>
export type MediaAccepted = z.infer<typeof mediaAccepted>
export type SendMessageBody = z.input<typeof sendMessageBody>
export type ServiceStatus = z.infer<typeof serviceStatus>
export type MessageStatus = z.infer<typeof messageStatus>
export type ContactAdded = z.infer<typeof contactAdded>
export type MessageAccepted = z.infer<typeof messageAccepted>
