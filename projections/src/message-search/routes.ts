import { messageFound } from '@prosa/contracts/http/live-chat'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { maximumSearchLength } from '@prosa/contracts/values/lengths'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Pool } from 'pg'
import { z } from 'zod'
import { requireContact } from '../contact-list/require-contact.ts'
import { cursor, decodeCursor, encodeCursor, logPlace } from '../cursor.ts'
import { reading } from '../runner/reading.ts'
import { searchMessages } from './queries.ts'
import { wordsOf } from './words.ts'

const pageSize = 20
/** More words than this tell nothing more. */
const wordCount = 10

const searchQuery = z.object({
  q: z
    .string({ error: 'Escreva o que procura.' })
    .max(maximumSearchLength, `A busca pode ter no máximo ${maximumSearchLength} caracteres.`)
    .refine((text) => text.trim() !== '', 'Escreva o que procura.'),
  contactId: z.string({ error: 'Escolha uma só conversa.' }).optional(),
  cursor: cursor.optional(),
})

/** The chats that make up one conversation: the contact's own, and those of the contacts behind it. */
const chatsOf = async (pool: Pool, owner: string, contactId: string): Promise<string[]> => {
  const { id, merged } = await requireContact(pool, owner, contactId)
  return [id, ...merged.map((each) => each.id)]
}

export const messageSearchRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    const { pool } = ports
    app.get(
      '/api/whatsapp/search',
      {
        ...reading(ports, ['contact-list', 'chat-messages', 'message-search']),
        schema: { querystring: searchQuery, response: { 200: z.array(messageFound) } },
      },
      async ({ user, query }, reply) => {
        const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, logPlace)[0]
        const chats = query.contactId === undefined ? undefined : await chatsOf(pool, user.id, query.contactId)
        const words = wordsOf(query.q).slice(0, wordCount)
        // Nothing but marks and emoji: no message is found by these.
        if (words.length === 0) return []
        const { found, olderBefore } = await searchMessages(pool, {
          owner: user.id,
          words,
          chats,
          before,
          limit: pageSize,
        })
        if (olderBefore) reply.header(cursorHeader, encodeCursor([olderBefore]))
        return found
      },
    )
  }
