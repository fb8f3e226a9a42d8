import { messageEndpoints } from '@prosa/contracts/http/messages'
import { cursorHeader, newerCursorHeader } from '@prosa/contracts/http/problem'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { z } from 'zod'
import { requireContact } from '../contact-list/require-contact.ts'
import { decodeCursor, encodeCursor, logPlace } from '../cursor.ts'
import { reading } from '../reading/reading.ts'
import { findMessages, type PageAsked } from './queries.ts'

const pageSize = 100

const pageAsked = (query: z.infer<typeof messageEndpoints.list.query>): PageAsked => {
  if (query.around !== undefined) return { kind: 'around', messageId: query.around }
  if (query.after !== undefined) return { kind: 'after', place: decodeCursor(query.after, logPlace, 'after')[0] }
  if (query.cursor !== undefined) return { kind: 'before', place: decodeCursor(query.cursor, logPlace)[0] }
  return { kind: 'latest' }
}

export const chatMessageRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    route(
      app,
      messageEndpoints.list,
      reading(ports, ['contact-list', 'chat-messages', 'media']),
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
