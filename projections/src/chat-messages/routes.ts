import { message } from '@prosa/contracts/http/live-chat'
import { cursorHeader } from '@prosa/contracts/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireContact } from '../contact-list/require-contact.ts'
import { cursor, decodeCursor, encodeCursor } from '../cursor.ts'
import { reading } from '../runner/reading.ts'
import { findMessages } from './queries.ts'

const pageSize = 100

const place = z.tuple([
  z
    .string()
    .min(1)
    .regex(/^[\x21-\x7e]+$/),
])

export const chatMessageRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    const { pool } = ports
    app.get(
      '/api/whatsapp/contacts/:id/messages',
      {
        ...reading(ports, ['contact-list', 'chat-messages']),
        schema: {
          params: z.object({ id: z.string() }),
          querystring: z.object({ cursor: cursor.optional() }),
          response: { 200: z.array(message) },
        },
      },
      async ({ user, params, query }, reply) => {
        const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, place)[0]
        await requireContact(pool, user.id, params.id)
        const found = await findMessages(pool, { owner: user.id, contactId: params.id, before, limit: pageSize })
        if (found.olderBefore) reply.header(cursorHeader, encodeCursor([found.olderBefore]))
        return found.messages
      },
    )
  }
