import type { Contact } from '@prosa/contracts/http/live-chat'
import { messageEndpoints } from '@prosa/contracts/http/messages'
import { cursorHeader, newerCursorHeader } from '@prosa/contracts/http/problem'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { z } from 'zod'
import { requireContact } from '../contact-list/require-contact.ts'
import { requireContactThen } from '../contact-list/versions/contacts-then.ts'
import { momentsShown } from '../contact-list/versions/moments-shown.ts'
import { contactVersions } from '../contact-list/versions/projection.ts'
import { type LogCursors, logCursors } from '../cursor.ts'
import { readingThen } from '../moments/reading-then.ts'
import { reading } from '../reading/reading.ts'
import { findMessagesThen } from './messages-then.ts'
import { findMessages, type MessagesAsked, type PageAsked } from './queries.ts'

const pageSize = 100

type Asked = Pick<MessagesAsked, 'tenant' | 'page' | 'limit'>

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
    const momentOf = momentsShown(ports, app.positions)
    const chatsOf = ({ id, merged }: Contact) => ({ contactId: id, mergedIds: merged.map((each) => each.id) })
    const now = async (id: string, asked: Asked) =>
      findMessages(pool, { ...asked, ...chatsOf(await requireContact(pool, asked.tenant, id)) })
    const then = async (id: string, em: string, asked: Asked) => {
      const moment = await momentOf(asked.tenant, em)
      const contact = await requireContactThen(ports, asked.tenant, moment, id)
      return findMessagesThen(ports, { ...asked, ...chatsOf(contact), moment })
    }
    route(
      app,
      messageEndpoints.list,
      readingThen(ports, reading(ports, ['contact-list', 'chat-messages', 'media']), [contactVersions.name]),
      async ({ user, params, query }, reply) => {
        const page = pageAsked(places, user.id, query)
        const asked = { tenant: user.id, page, limit: pageSize }
        const found = query.em === undefined ? await now(params.id, asked) : await then(params.id, query.em, asked)
        if (!found) throw refuse('message_not_found')
        if (found.olderBefore) reply.header(cursorHeader, places.encode(user.id, found.olderBefore))
        if (found.newerAfter) reply.header(newerCursorHeader, places.encode(user.id, found.newerAfter))
        return found.messages
      },
    )
  }
