import { messageEndpoints } from '@prosa/contracts/http/messages'
import { cursorHeader, newerCursorHeader } from '@prosa/contracts/http/problem'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { z } from 'zod'
import { requireContact } from '../contact-list/require-contact.ts'
import { type LogCursors, logCursors } from '../cursor.ts'
import { reading } from '../reading/reading.ts'
import { findMessages, type PageAsked } from './queries.ts'

const pageSize = 100

const pageAsked = (
  places: LogCursors,
  reader: string,
  { around, after, cursor }: z.infer<typeof messageEndpoints.list.query>,
): PageAsked => {
  if (around !== undefined) return { kind: 'around', messageId: around }
  const newerThan = places.decode(reader, after, 'after')
  if (newerThan !== undefined) return { kind: 'after', position: newerThan }
  const olderThan = places.decode(reader, cursor)
  return olderThan === undefined ? { kind: 'latest' } : { kind: 'before', position: olderThan }
}

export const chatMessageRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    const places = logCursors(ports.box)
    route(
      app,
      messageEndpoints.list,
      reading(ports, ['contact-list', 'chat-messages', 'media']),
      async ({ user, params, query }, reply) => {
        const page = pageAsked(places, user.id, query)
        const { id, merged } = await requireContact(pool, user.id, params.id)
        const mergedIds = merged.map((each) => each.id)
        const found = await findMessages(pool, { owner: user.id, contactId: id, mergedIds, page, limit: pageSize })
        if (!found) throw refuse('message_not_found')
        if (found.olderBefore) reply.header(cursorHeader, places.encode(user.id, found.olderBefore))
        if (found.newerAfter) reply.header(newerCursorHeader, places.encode(user.id, found.newerAfter))
        return found.messages
      },
    )
  }
