import { message } from '@prosa/contracts/http/live-chat'
import { cursorHeader, newerCursorHeader } from '@prosa/contracts/http/problem'
import { whatsappMessageId } from '@prosa/contracts/values/ids'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireContact } from '../contact-list/require-contact.ts'
import { cursor, decodeCursor, encodeCursor, logPlace } from '../cursor.ts'
import { reading } from '../runner/reading.ts'
import { findMessages, type PageAsked } from './queries.ts'

const pageSize = 100

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

const pageAsked = (query: z.infer<typeof messagesQuery>): PageAsked => {
  if (query.around !== undefined) return { kind: 'around', messageId: query.around }
  if (query.after !== undefined) return { kind: 'after', place: decodeCursor(query.after, logPlace, 'after')[0] }
  if (query.cursor !== undefined) return { kind: 'before', place: decodeCursor(query.cursor, logPlace)[0] }
  return { kind: 'latest' }
}

export const chatMessageRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    const { pool } = ports
    app.get(
      '/api/whatsapp/contacts/:id/messages',
      {
        ...reading(ports, ['contact-list', 'chat-messages', 'media']),
        schema: {
          params: z.object({ id: z.string() }),
          querystring: messagesQuery,
          response: { 200: z.array(message) },
        },
      },
      async ({ user, params, query }, reply) => {
        const page = pageAsked(query)
        const { id, merged } = await requireContact(pool, user.id, params.id)
        const mergedIds = merged.map((each) => each.id)
        const found = await findMessages(pool, { owner: user.id, contactId: id, mergedIds, page, limit: pageSize })
        if (!found) throw refuse('message_not_found')
        if (found.olderBefore) reply.header(cursorHeader, encodeCursor([found.olderBefore]))
        if (found.newerAfter) reply.header(newerCursorHeader, encodeCursor([found.newerAfter]))
        return found.messages
      },
    )
  }
