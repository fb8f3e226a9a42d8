import type { MessageFound } from '@prosa/contracts/http/live-chat'
import { messageEndpoints } from '@prosa/contracts/http/messages'
import type { Page } from '@prosa/contracts/http/page'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { successorsOf } from '@prosa/contracts/values/lines'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import type { z } from 'zod'
import { findOwnConnections } from '../connections/queries.ts'
import { requireContact } from '../contact-list/require-contact.ts'
import { logCursors } from '../cursor.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { reading } from '../reading/reading.ts'
import { wordsOf } from '../word-index.ts'
import { searchMessages } from './queries.ts'

const readModels = ['contact-list', 'chat-messages', 'message-search']
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

type Asked = z.infer<typeof messageEndpoints.search.query>

export const messageSearchRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    const places = logCursors(ports.box)
    const page = async (tenant: string, { q, contactId, connectionId, cursor }: Asked): Promise<Page<MessageFound>> => {
      const before = places.decode(tenant, cursor)
      const chats = contactId === undefined ? undefined : await chatsOf(pool, tenant, contactId)
      const connections = connectionId === undefined ? undefined : await connectionsOf(pool, tenant, connectionId)
      const words = wordsOf(q).slice(0, wordCount)
      // Only marks or emoji.
      if (words.length === 0) return { items: [], nextCursor: null }
      const { found, olderBefore } = await searchMessages(pool, {
        tenant,
        words,
        chats,
        connections,
        before,
        limit: pageSize,
      })
      return { items: found, nextCursor: olderBefore ? places.encode(tenant, olderBefore) : null }
    }

    const searching = { preHandler: readYourWrites(ports.readModels, readModels) }
    route(app, messageEndpoints.found, searching, ({ user, body }) => page(user.id, body))
    route(app, messageEndpoints.search, reading(ports, readModels), async ({ user, query }, reply) => {
      const { items, nextCursor } = await page(user.id, query)
      if (nextCursor !== null) reply.header(cursorHeader, nextCursor)
      return items
    })
  }
