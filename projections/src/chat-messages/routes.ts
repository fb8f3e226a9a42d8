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
import { conversationLines } from '../conversation-lines/projection.ts'
import { findLines, withLines } from '../conversation-lines/queries.ts'
import { type LogCursors, logCursors } from '../cursor.ts'
import { readingThen, requireReached } from '../moments/reading-then.ts'
import { reading } from '../reading/reading.ts'
import { findMessagesThen } from './messages-then.ts'
import { findMessages, type MessagesAsked, type MessagesFound, type PageAsked } from './queries.ts'

const pageSize = 100
/** Of one page; earlier ones are in the history alone. */
const maxLines = 500

/** Sorts after every position. */
const endOfLog = '\x7f'

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
    /** `end`: the position after which nothing happened yet. */
    const lined = async (found: MessagesFound | undefined, { id, merged }: Contact, tenant: string, end: string) => {
      if (!found) return undefined
      const { messages, positions, since: after, newerAfter } = found
      const contactIds = [id, ...merged.map((each) => each.id)]
      const between = { after, before: newerAfter ?? end, asOf: end, limit: maxLines, from: 'latest' } as const
      const lines = await findLines(pool, { tenant, contactIds, ...between })
      return { ...found, messages: withLines(messages, positions, lines) }
    }
    const now = async (id: string, asked: Asked) => {
      const contact = await requireContact(pool, asked.tenant, id)
      return lined(await findMessages(pool, { ...asked, ...chatsOf(contact) }), contact, asked.tenant, endOfLog)
    }
    const then = async (id: string, em: string, asked: Asked) => {
      const moment = await momentOf(asked.tenant, em)
      await requireReached(ports, conversationLines.name, moment)
      const contact = await requireContactThen(ports, asked.tenant, moment, id)
      const found = await findMessagesThen(ports, { ...asked, ...chatsOf(contact), moment })
      // Positions hold no space: this one sorts next.
      return lined(found, contact, asked.tenant, `${moment} `)
    }
    route(
      app,
      messageEndpoints.list,
      readingThen(ports, reading(ports, ['contact-list', 'chat-messages', 'conversation-lines', 'media']), [
        contactVersions.name,
        conversationLines.name,
      ]),
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
