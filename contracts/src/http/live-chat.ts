import { z } from 'zod'
import { connectionId, contactId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'

export const serviceStatus = z.enum(['waiting', 'attending', 'resolved'])

export const messageStatus = z.enum(['queued', 'sent', 'delivered', 'read', 'failed'])

/** `user` is the own side, as in the specification, 3. */
export const sender = z.enum(['user', 'contact'])

/**
 * GET /api/whatsapp/contacts?status=waiting|attending|resolved[&search=…][&cursor=…] → `contact[]`, latest activity first,
 * 50 a page (`prosa-next-cursor`). `search` filters by name or phone, without accents.
 * GET /api/whatsapp/contacts/{id} → `contact`.
 */
export const contact = z.object({
  id: contactId,
  name: z.string().nullable(),
  phone: z.string().nullable(),
  lastActivity: instant,
  serviceStatus,
  /** Since when the contact has been waiting; null when somebody attends or it is resolved. */
  waitingSince: instant.nullable(),
  unreadCount: z.number().int().nonnegative(),
  lastMessage: z.object({ content: z.string(), sender, status: messageStatus.nullable() }).nullable(),
})

/** GET /api/whatsapp/contact-counts → how many contacts stand in each tab. */
export const contactCounts = z.object({
  waiting: z.number().int(),
  attending: z.number().int(),
  resolved: z.number().int(),
})

/** GET /api/whatsapp/contacts/{id}/messages[?cursor=…] → `message[]`, ascending, the latest 100; the cursor leads to older ones. */
export const message = z.object({
  id: whatsappMessageId,
  contactId,
  /** The text; for kinds that Prosa cannot show yet, a Portuguese sentence saying what arrived. */
  content: z.string(),
  kind: z.enum(['text', 'unsupported']),
  sender,
  timestamp: instant,
  /** Null for messages of the contact. */
  status: messageStatus.nullable(),
  /** Why a failed message failed, in a sentence. */
  failure: z.string().nullable(),
  /** True when the own side wrote it on the phone, not here. */
  sentElsewhere: z.boolean(),
})

/** PATCH /api/whatsapp/contacts/{id}/status → 200 `contactStatus`. */
export const changeStatusBody = z.object({
  status: z.enum(['attending', 'resolved'], { error: 'Escolha aceitar ou finalizar.' }),
})
export const contactStatus = z.object({ id: contactId, serviceStatus })

/** POST /api/whatsapp/contacts → 201 `contactAdded`; adding a known number leads to the contact that exists. */
export const addContactBody = z.object({
  phone: z
    .string({ error: 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)' })
    .transform((value) => value.replace(/\D/g, ''))
    .pipe(z.string().regex(/^55[1-9]\d\d{8,9}$/, 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)')),
})
export const contactAdded = z.object({ id: contactId, phone: z.string(), serviceStatus })

/**
 * POST /api/whatsapp/send-message → 202 `messageAccepted`: stored, and on its way. `messageId` is optional: a client that
 * makes it (`3EB0` and 18 upper-case hexadecimal digits) may repeat the request without sending twice.
 */
export const sendMessageBody = z.object({
  connectionId: z.uuid('Nenhuma conexão WhatsApp ativa encontrada'),
  contactId: z.uuid('Contato não encontrado.'),
  message: z
    .string({ error: 'Escreva uma mensagem.' })
    .max(4096, 'A mensagem pode ter no máximo 4.096 caracteres.')
    .refine((text) => text.trim() !== '', 'Escreva uma mensagem.'),
  messageId: z
    .string()
    .regex(/^3EB0[0-9A-F]{18}$/, 'Identificador de mensagem inválido.')
    .optional(),
})
export const messageAccepted = z.object({ id: whatsappMessageId, contactId, connectionId, status: messageStatus })

/** DELETE /api/whatsapp/contacts/{id} → 200 `contactErased`: everything personal about the contact is erased for good. */
export const contactErased = z.object({ id: contactId })

/** POST /api/whatsapp/contacts/{id}/seen → 200 `contactSeen`: the unread count becomes 0. */
export const contactSeen = z.object({ id: contactId })

export type Contact = z.infer<typeof contact>
export type ContactCounts = z.infer<typeof contactCounts>
export type Message = z.infer<typeof message>
export type ServiceStatus = z.infer<typeof serviceStatus>
export type MessageStatus = z.infer<typeof messageStatus>
export type ContactAdded = z.infer<typeof contactAdded>
export type MessageAccepted = z.infer<typeof messageAccepted>
