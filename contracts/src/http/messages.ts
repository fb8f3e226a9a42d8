import { z } from 'zod'
import { connectionId, contactId, mediaId, whatsappMessageId } from '../values/ids.ts'
import { maximumSearchLength, maximumTextLength } from '../values/lengths.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'
import { message, messageFound, messageStatus } from './live-chat.ts'

const messagesQuery = z
  .object({
    cursor: cursor.optional(),
    after: cursor.optional(),
    around: whatsappMessageId.refine((id) => !id.includes('\0'), 'Mensagem não encontrada.').optional(),
  })
  .refine((query) => Object.values(query).filter((value) => value !== undefined).length <= 1, {
    path: ['cursor'],
    error: 'Peça uma página de cada vez: cursor, after ou around.',
  })

const searchQuery = z.object({
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
 * `connectionId` is a wish, and is left out where nobody wishes: then the message leaves over the line of the conversation, whichever that is
 * when it is stored. A wish for a number that the person never wrote to and that nobody chose is refused (409 `line_not_of_conversation`);
 * where the conversation has no line, the wish is the choice of one. Without a wish and without a line it is the first connected number;
 * but where the conversation had one that was removed, somebody has to choose (409 `line_removed`).
 *
 * `messageId` is optional: a client that makes it (`3EB0` and 18 upper-case hexadecimal digits) may repeat the request without
 * sending twice. One that failed is sent anew by it, as it is asked for now; where the quoted message is gone meanwhile, without
 * it. The id of a message to another contact is refused (409 `message_id_taken`). With `media` the message is the caption and
 * may be blank.
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
/** `connectionId`: over which the message really leaves. */
const messageAccepted = z.object({ id: whatsappMessageId, contactId, connectionId, status: messageStatus })

const editMessageBody = z.object({
  message: z
    .string({ error: 'Escreva uma mensagem.' })
    .max(maximumTextLength, 'A mensagem pode ter no máximo 4.096 caracteres.')
    .refine((text) => text.trim() !== '', 'Escreva uma mensagem.'),
})
const correctionAccepted = z.object({ messageId: whatsappMessageId, contactId })

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })
/** As WhatsApp's own are read; each segment has a copy of the whole text, so a longer one must not be segmented. */
const maximumEmojiLength = 64
/** '👍🏽', '❤️', '🇧🇷', '1️⃣' */
const isOneEmoji = (text: string) =>
  text.length <= maximumEmojiLength &&
  [...graphemes.segment(text)].length === 1 &&
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)

/** Null takes the reaction back. It leaves over the connection of the message, which alone knows it, whatever is wished. */
const reactionBody = z.object({
  connectionId: z.uuid('Nenhuma conexão WhatsApp ativa encontrada').toLowerCase().optional(),
  emoji: z.string({ error: 'Escolha uma reação.' }).refine(isOneEmoji, 'Escolha um emoji.').nullable(),
})
const reactionAccepted = z.object({ messageId: whatsappMessageId, contactId, emoji: z.string().nullable() })

export const messageEndpoints = {
  /**
   * Ascending, 100 a page. Without a parameter the latest; `prosa-next-cursor` leads to older ones (`cursor`),
   * `prosa-newer-cursor` to newer ones (`after`), where there are some.
   */
  list: endpoint({
    method: 'GET',
    path: '/api/whatsapp/contacts/:id/messages',
    area: 'Conversas',
    summary: 'As últimas 100 mensagens de um contato; com cursor, as anteriores.',
    query: messagesQuery,
    replies: { 200: z.array(message) },
  }),
  /**
   * Messages whose text holds every word, without accents, the latest first, 20 a page. With a contact, only those of its
   * conversation; with a connection, only those that came or went over it.
   */
  search: endpoint({
    method: 'GET',
    path: '/api/whatsapp/search',
    area: 'Conversas',
    summary: 'Busca no texto de todas as mensagens; com contactId, nas de uma conversa.',
    query: searchQuery,
    replies: { 200: z.array(messageFound) },
  }),
  /**
   * Stored, and on its way, or waiting for the line of its number to come back; where no number was ever linked, it is refused.
   * An answer accepts a waiting conversation; the repetition of a failed one does not.
   */
  send: endpoint({
    method: 'POST',
    path: '/api/whatsapp/send-message',
    area: 'Conversas',
    summary: 'Guarda uma mensagem e a envia ao contato.',
    body: sendMessageBody,
    replies: { 202: messageAccepted },
  }),
  /** A text or caption of the own side is changed for everyone, over the connection that sent it. */
  edit: endpoint({
    method: 'PATCH',
    path: '/api/whatsapp/contacts/:id/messages/:messageId',
    area: 'Conversas',
    summary: 'Edita um texto ou uma legenda para todos, até 15 minutos depois do envio.',
    body: editMessageBody,
    replies: { 202: correctionAccepted },
  }),
  /** Takes a message of the own side back for everyone. */
  delete: endpoint({
    method: 'DELETE',
    path: '/api/whatsapp/contacts/:id/messages/:messageId',
    area: 'Conversas',
    summary: 'Apaga uma mensagem para todos, até 2 dias depois do envio.',
    replies: { 202: correctionAccepted },
  }),
  react: endpoint({
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
