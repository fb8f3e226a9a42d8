import { messageEndpoints } from '@prosa/contracts/http/messages'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { successorsOf } from '@prosa/contracts/values/lines'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import { findOwnConnections } from '../connections/queries.ts'
import { requireContact } from '../contact-list/require-contact.ts'
import { logCursors } from '../cursor.ts'
import { reading } from '../reading/reading.ts'
import { wordsOf } from '../word-index.ts'
import { searchMessages } from './queries.ts'

const pageSize = 20
/** Further words are ignored. */
const wordCount = 10

/** Including merged contacts. */
const chatsOf = async (pool: Pool, tenant: string, contactId: string): Promise<string[]> => {
  const { id, merged } = await requireContact(pool, tenant, contactId)
  return [id, ...merged.map((each) => each.id)]
}

/** The connection and those whose number it has today. */
const connectionsOf = async (pool: Pool, tenant: string, connectionId: string): Promise<string[]> => {
  const successors = successorsOf(await findOwnConnections(pool, tenant))
  const before = successors.filter(({ target }) => target === connectionId).map((each) => each.connectionId)
  return [...new Set([connectionId, ...before])]
}

export const messageSearchRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    const places = logCursors(ports.box)
    route(
      app,
      messageEndpoints.search,
      reading(ports, ['contact-list', 'chat-messages', 'message-search']),
      async ({ user, query }, reply) => {
        const before = places.decode(user.id, query.cursor)
        const chats = query.contactId === undefined ? undefined : await chatsOf(pool, user.id, query.contactId)
        const connections =
          query.connectionId === undefined ? undefined : await connectionsOf(pool, user.id, query.connectionId)
        const words = wordsOf(query.q).slice(0, wordCount)
        // Only marks or emoji.
        if (words.length === 0) return []
        const { found, olderBefore } = await searchMessages(pool, {
          tenant: user.id,
          words,
          chats,
          connections,
          before,
          limit: pageSize,
        })
        if (olderBefore) reply.header(cursorHeader, places.encode(user.id, olderBefore))
        return found
      },
    )
  }
