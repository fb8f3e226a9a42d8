import { z } from 'zod'
import { connectionId, contactId, mediaId, whatsappMessageId } from '../values/ids.ts'
import { maximumSearchLength, maximumTextLength } from '../values/lengths.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'
import { message, messageFound, messageStatus } from './live-chat.ts'
import { pageOf } from './page.ts'
import { moment } from './past/moment.ts'

const messagesQuery = z
  .object({
    cursor: cursor.optional(),
    after: cursor.optional(),
    around: whatsappMessageId.refine((id) => !id.includes('\0'), 'Mensagem não encontrada.').optional(),
    em: moment.optional(),
  })
  .refine(({ em, ...query }) => Object.values(query).filter((value) => value !== undefined).length <= 1, {
    path: ['cursor'],
    error: 'Peça uma página de cada vez: cursor, after ou around.',
  })

const searchBody = z.object({
  q: z
    .string({ error: 'Escreva o que procura.' })
    .max(maximumSearchLength, `A busca pode ter no máximo ${maximumSearchLength} caracteres.`)
    .refine((text) => text.trim() !== '', 'Escreva o que procura.'),
  contactId: z.string({ error: 'Escolha uma só conversa.' }).optional(),
  connectionId: connectionId.optional(),
  cursor: cursor.optional(),
})

const clientMessageId = z
  .string()
  .regex(/^3EB0[0-9A-F]{18}$/, 'Identificador de mensagem inválido.')
  .optional()

/**
 * Default connection: the conversation's line, else the first connected number; a removed line must be replaced first (409 `line_removed`).
 * Another one is refused unless the person wrote to it or somebody chose it (409 `line_not_of_conversation`); without a line it becomes the
 * line.
 * `messageId` (`3EB0` and 18 upper-case hexadecimal digits) makes repetition safe and retries a failed message, without a missing quote.
 * Taken by another contact: 409 `message_id_taken`. With `media` the text is a caption.
 */
const sendMessageBody = z
  .object({
    connectionId: z.uuid('Nenhuma conexão WhatsApp ativa encontrada').toLowerCase().optional(),
    contactId: z.uuid('Contato não encontrado.'),
    message: z
      .string({ error: 'Escreva uma mensagem.' })
      .max(maximumTextLength, 'A mensagem pode ter no máximo 4.096 caracteres.')
      .default(''),
    messageId: clientMessageId,
    /** From POST /api/whatsapp/media. */
    media: z
      .object({
        id: mediaId,
        as: z.enum(['image', 'video', 'audio', 'voice', 'document', 'sticker']),
        fileName: z.string().max(255, 'O nome do arquivo pode ter no máximo 255 caracteres.').optional(),
        seconds: z.number().int().min(0).max(86_400).optional(),
        width: z.number().int().min(1).max(20_000).optional(),
        height: z.number().int().min(1).max(20_000).optional(),
        /** At most 64 bytes, 0 to 100 each. */
        waveform: z.base64().max(88).optional(),
        /** JPEG, at most 12 kB. */
        preview: z.base64().max(16_384).optional(),
      })
      .optional(),
    quotedMessageId: whatsappMessageId.optional(),
  })
  .refine(({ message, media }) => media !== undefined || message.trim() !== '', {
    path: ['message'],
    error: 'Escreva uma mensagem.',
  })
/** Connection used. */
const messageAccepted = z.object({ id: whatsappMessageId, contactId, connectionId, status: messageStatus })

const editMessageBody = z.object({
  message: z
    .string({ error: 'Escreva uma mensagem.' })
    .max(maximumTextLength, 'A mensagem pode ter no máximo 4.096 caracteres.')
    .refine((text) => text.trim() !== '', 'Escreva uma mensagem.'),
})
const correctionAccepted = z.object({ messageId: whatsappMessageId, contactId })

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })
/** Segmenting copies the whole text per segment. */
const maximumEmojiLength = 64
/** '👍🏽', '❤️', '🇧🇷', '1️⃣' */
const isOneEmoji = (text: string) =>
  text.length <= maximumEmojiLength &&
  [...graphemes.segment(text)].length === 1 &&
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)

/** Null removes it. Uses the message's own connection. */
const reactionBody = z.object({
  connectionId: z.uuid('Nenhuma conexão WhatsApp ativa encontrada').toLowerCase().optional(),
  emoji: z.string({ error: 'Escolha uma reação.' }).refine(isOneEmoji, 'Escolha um emoji.').nullable(),
})
const reactionAccepted = z.object({ messageId: whatsappMessageId, contactId, emoji: z.string().nullable() })

export const messageEndpoints = {
  /** Ascending, 100 a page, default latest; `prosa-next-cursor` (`cursor`): older, `prosa-newer-cursor` (`after`): newer. */
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/contacts/:id/messages',
    area: 'Conversas',
    summary: 'As últimas 100 mensagens de um contato; com cursor, as anteriores.',
    query: messagesQuery,
    replies: { 200: z.array(message) },
  }),
  /** All words, without accents, latest first, 20 a page. Not a GET: what is searched for is in no URL. */
  found: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/whatsapp/search',
    area: 'Conversas',
    changesNothing: true,
    summary: 'Busca no texto de todas as mensagens; com contactId, nas de uma conversa.',
    body: searchBody,
    replies: { 200: pageOf(messageFound) },
  }),
  /** Only for pages of releases before decision 0101. */
  search: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/search',
    area: 'Conversas',
    summary: 'O mesmo com a busca no endereço, para páginas abertas antes desta versão. Deixa de existir na seguinte.',
    query: searchBody,
    replies: { 200: z.array(messageFound) },
  }),
  /** Stored until the line is up; refused without any linked number. Accepts a waiting conversation, unless a retry. */
  send: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/send-message',
    area: 'Conversas',
    summary: 'Guarda uma mensagem e a envia ao contato.',
    body: sendMessageBody,
    replies: { 202: messageAccepted },
  }),
  edit: endpoint({
    service: 'contacts',
    method: 'PATCH',
    path: '/api/whatsapp/contacts/:id/messages/:messageId',
    area: 'Conversas',
    summary: 'Edita um texto ou uma legenda para todos, até 15 minutos depois do envio.',
    body: editMessageBody,
    replies: { 202: correctionAccepted },
  }),
  delete: endpoint({
    service: 'contacts',
    method: 'DELETE',
    path: '/api/whatsapp/contacts/:id/messages/:messageId',
    area: 'Conversas',
    summary: 'Apaga uma mensagem para todos, até 2 dias depois do envio.',
    replies: { 202: correctionAccepted },
  }),
  react: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/messages/:messageId/reaction',
    area: 'Conversas',
    summary: 'Reage a uma mensagem, ou retira a reação.',
    body: reactionBody,
    replies: { 202: reactionAccepted },
  }),
}

export type SendMessageBody = z.input<typeof sendMessageBody>
export type MessageAccepted = z.infer<typeof messageAccepted>
